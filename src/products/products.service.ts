import { Injectable } from '@nestjs/common';

import { Connection } from '../database/connection.js';
import { ResourceService } from '../resources/resource.service.js';
import { Product } from './product.entity.js';
import { LockedProduct, ProductsRepository } from './products.repository.js';

/** The product catalogue. */
@Injectable()
export class ProductsService extends ResourceService<Product> {
  constructor(private readonly products: ProductsRepository) {
    super(products);
  }

  /** The products that exist among some, by id. They can change until the transaction ends, but not be deleted. */
  async lockShared(ids: readonly number[], tx: Connection): Promise<ReadonlyMap<number, LockedProduct>> {
    return new Map((await this.products.lockShared(ids, tx)).map((product) => [product.id, product]));
  }
}
