import { Injectable } from '@nestjs/common';
import { SqlExecutor } from '@plinth/core';

import { Supplier } from '../suppliers/supplier.entity.js';
import { SuppliersRepository } from '../suppliers/suppliers.repository.js';
import { SuppliersService } from '../suppliers/suppliers.service.js';
import { Greeter } from './greeter.js';

@Injectable()
export class WelcomedSuppliersService extends SuppliersService {
  constructor(
    suppliers: SuppliersRepository,
    private readonly greeter: Greeter,
  ) {
    super(suppliers);
  }

  override async create(values: Partial<Supplier>, tx: SqlExecutor): Promise<Supplier> {
    const supplier = await super.create(values, tx);
    tx.afterCommit(() => this.greeter.welcome(supplier));
    return supplier;
  }
}
