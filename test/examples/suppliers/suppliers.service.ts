import { Injectable } from '@nestjs/common';

import { Database } from '../../../src/core/database/database.js';
import { ResourceRepository } from '../../../src/core/resources/resource-repository.js';
import { ResourceService } from '../../../src/core/resources/resource.service.js';
import { Supplier } from './supplier.entity.js';
import { SUPPLIERS } from './supplier.resource.js';

@Injectable()
export class SuppliersService extends ResourceService<Supplier> {
  constructor(database: Database) {
    super(new ResourceRepository(database, SUPPLIERS));
  }
}
