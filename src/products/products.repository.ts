import { Injectable } from '@nestjs/common';
import { Database, ResourceRepository } from '@plinth/core';

import { Product } from './product.entity.js';
import { PRODUCTS } from './product.resource.js';

@Injectable()
export class ProductsRepository extends ResourceRepository<Product> {
  constructor(database: Database) {
    super(database, PRODUCTS);
  }
}
