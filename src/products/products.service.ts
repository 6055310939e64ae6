import { Injectable } from '@nestjs/common';
import { Caller, Connection, ResourceService } from '@plinth/core';

import { Product } from './product.entity.js';
import { LockedProduct, ProductsRepository } from './products.repository.js';

/** The product catalogue: the six operations of a resource, and what orders need of it. */
@Injectable()
export class ProductsService extends ResourceService<Product> {
  constructor(private readonly products: ProductsRepository) {
    super(products);
  }

  /** The products among some that the caller may see, by id. None is deleted before the transaction ends. */
  async lockForShare(
    ids: readonly number[],
    caller: Caller,
    tx: Connection,
  ): Promise<ReadonlyMap<number, LockedProduct>> {
    const hidden = caller.hiddenIds('product');
    const visible = hidden.size === 0 ? ids : ids.filter((id) => !hidden.has(id));
    return new Map((await this.products.lockForShare(visible, tx)).map((product) => [product.id, product]));
  }
}
