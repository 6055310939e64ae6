import { Injectable } from '@nestjs/common';
import { Connection, Database, ResourceRepository, statementName } from '@plinth/core';

import { lockForShare, Product } from './product.entity.js';
import { PRODUCTS } from './product.resource.js';

export type LockedProduct = Pick<Product, 'id' | 'name' | 'price' | 'inStock'>;

@Injectable()
export class ProductsRepository extends ResourceRepository<Product> {
  constructor(database: Database) {
    super(database, PRODUCTS);
  }

  /** Reads some products and keeps them from being deleted. */
  lockForShare(ids: readonly number[], tx: Connection): Promise<LockedProduct[]> {
    const text = lockForShare('id, name, price::float8 as price, in_stock as "inStock"', '$1');
    return tx.query<LockedProduct>({ text, values: [ids], name: statementName(text) });
  }
}
