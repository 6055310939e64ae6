import { Injectable } from '@nestjs/common';
import { ResourceService } from '@plinth/core';

import { Product } from './product.entity.js';
import { ProductsRepository } from './products.repository.js';

@Injectable()
export class ProductsService extends ResourceService<Product> {
  constructor(products: ProductsRepository) {
    super(products);
  }
}
