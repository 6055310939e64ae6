import { Injectable } from '@nestjs/common';
import { Database, ResourceRepository, ResourceService } from '@plinth/core';

import { Supplier } from './supplier.entity.js';
import { SUPPLIERS } from './supplier.resource.js';

@Injectable()
export class SuppliersService extends ResourceService<Supplier> {
  constructor(database: Database) {
    super(new ResourceRepository(database, SUPPLIERS));
  }
}
