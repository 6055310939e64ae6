import { Injectable } from '@nestjs/common';
import { ResourceService } from '@plinth/core';

import { Supplier } from './supplier.entity.js';
import { SuppliersRepository } from './suppliers.repository.js';

@Injectable()
export class SuppliersService extends ResourceService<Supplier> {
  constructor(suppliers: SuppliersRepository) {
    super(suppliers);
  }
}
