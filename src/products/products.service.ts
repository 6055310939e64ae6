import { Injectable } from '@nestjs/common';

import { Access } from '../access/access.js';
import { Connection } from '../database/connection.js';
import { WriteConditions } from '../http/caching/preconditions.js';
import { ListQuery } from '../lists/list-query.js';
import { Page } from '../lists/list-representation.js';
import { HeldProduct, ProductRow, ProductsRepository } from './products.repository.js';

/** What a client writes of a product, whatever the version of the API. */
export type ProductValues = Pick<ProductRow, 'name' | 'price' | 'category' | 'inStock' | 'description'>;

/** The product catalogue. Throws `PRODUCT_NOT_FOUND` and, on writes, `PRECONDITION_FAILED`. */
@Injectable()
export class ProductsService {
  constructor(private readonly products: ProductsRepository) {}

  list(query: ListQuery): Promise<Page<ProductRow>> {
    return this.products.list(query);
  }

  get(id: number): Promise<ProductRow> {
    return this.products.get(id);
  }

  create(values: Partial<ProductValues>, on: Connection): Promise<ProductRow> {
    return this.products.insert(values, on);
  }

  /**
   * What is there of some products for a caller, by id. They can change, but not go, until the transaction ends.
   *
   * @param on the transaction
   */
  async hold(
    ids: readonly number[],
    access: Access,
    on: Connection,
  ): Promise<ReadonlyMap<number, HeldProduct>> {
    const hidden = access.hiddenIds('product');
    const shown = hidden.size === 0 ? ids : ids.filter((id) => !hidden.has(id));
    return new Map((await this.products.hold(shown, on)).map((product) => [product.id, product]));
  }

  /** Writes every field that is given; the caller's version of the API gives all that it knows. */
  replace(id: number, values: Partial<ProductValues>, conditions: WriteConditions): Promise<ProductRow> {
    return this.products.update(id, values, conditions);
  }

  patch(id: number, changes: Partial<ProductValues>, conditions: WriteConditions): Promise<ProductRow> {
    return this.products.update(id, changes, conditions);
  }

  remove(id: number, conditions: WriteConditions): Promise<void> {
    return this.products.remove(id, conditions);
  }
}
