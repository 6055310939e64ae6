import { Injectable } from '@nestjs/common';

import { Database } from '#src/database/database.js';
import { ResourceRepository, ResourceRow } from '#src/database/resource-repository.js';

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

@Injectable()
export class ProductsRepository extends ResourceRepository<ProductRow> {
  constructor(database: Database) {
    super(database, ProductEntity, { notFound: PRODUCT_NOT_FOUND });
  }
}
