import { Injectable } from '@nestjs/common';
import { Database, ResourceRepository } from '@plinth/core';

import { ProductExport } from './product-export.entity.js';
import { PRODUCT_EXPORTS } from './product-export.resource.js';

@Injectable()
export class ProductExportsRepository extends ResourceRepository<ProductExport> {
  constructor(database: Database) {
    super(database, PRODUCT_EXPORTS);
  }
}
