import { Injectable } from '@nestjs/common';

import { Database } from '../../../src/database/database.js';
import { ResourceRepository } from '../../../src/resources/resource-repository.js';
import { ResourceService } from '../../../src/resources/resource.service.js';
import { Supplier } from './supplier.entity.js';
import { SUPPLIERS } from './supplier.resource.js';

@Injectable()
export class SuppliersService extends ResourceService<Supplier> {
  constructor(database: Database) {
    super(new ResourceRepository(database, SUPPLIERS));
  }
}
