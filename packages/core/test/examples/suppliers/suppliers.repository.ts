import { Injectable } from '@nestjs/common';
import { Database, ResourceRepository } from '@plinth/core';

import { Supplier } from './supplier.entity.js';
import { SUPPLIERS } from './supplier.resource.js';

@Injectable()
export class SuppliersRepository extends ResourceRepository<Supplier> {
  constructor(database: Database) {
    super(database, SUPPLIERS);
  }
}
