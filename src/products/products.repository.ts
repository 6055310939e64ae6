import { Injectable } from '@nestjs/common';

import { Connection } from '../database/connection.js';
import { Database } from '../database/database.js';
import { statementName } from '../database/table.js';
import { ResourceRepository, ResourceRow } from '../resources/resource-repository.js';
import { ProductEntity } from './product.entity.js';
import { PRODUCT_NOT_FOUND } from './product.errors.js';

/** A product as it is read: ready to be shown. */
export interface ProductRow extends ResourceRow {
  readonly name: string;
  readonly price: number;
  readonly category: string | null;
  readonly inStock: boolean;
  readonly description: string | null;
  readonly rating: number | null;
  readonly reviewCount: number;
}

/** What an order takes over of a product. */
export type HeldProduct = Pick<ProductRow, 'id' | 'name' | 'price' | 'inStock'>;

@Injectable()
export class ProductsRepository extends ResourceRepository<ProductRow> {
  constructor(database: Database) {
    super(database, ProductEntity, { notFound: PRODUCT_NOT_FOUND });
  }

  /** Reads some products and keeps them from being deleted; in the order of their ids, so that nobody waits in a ring. */
  hold(ids: readonly number[], on: Connection): Promise<HeldProduct[]> {
    const text =
      'select id, name, price::float8 as price, in_stock as "inStock" from products ' +
      'where id = any($1::bigint[]) order by id for key share';
    return on.query<HeldProduct>({ text, values: [ids], name: statementName(text) });
  }
}
