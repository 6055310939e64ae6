import { Injectable } from '@nestjs/common';
import { Database, ResourceRepository, ResourceService } from '@plinth/core';

import { Product } from './product.entity.js';
import { PRODUCTS } from './product.resource.js';

@Injectable()
export class ProductsService extends ResourceService<Product> {
  constructor(database: Database) {
    super(new ResourceRepository(database, PRODUCTS));
  }
}
