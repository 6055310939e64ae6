import { Injectable } from '@nestjs/common';
import { Connection, Database } from '@plinth/core';

import { Supplier } from '../suppliers/supplier.entity.js';
import { SuppliersService } from '../suppliers/suppliers.service.js';
import { Mails } from './mails.js';

@Injectable()
export class WelcomedSuppliersService extends SuppliersService {
  constructor(
    database: Database,
    private readonly mails: Mails,
  ) {
    super(database);
  }

  override async create(values: Partial<Supplier>, tx: Connection): Promise<Supplier> {
    const supplier = await super.create(values, tx);
    tx.afterCommit(() => this.mails.welcome(supplier));
    return supplier;
  }
}
