import { Injectable } from '@nestjs/common';
import { Jobs, ResourceService, SqlExecutor } from '@plinth/core';

import { ProductExport } from './product-export.entity.js';
import { ProductExportsRepository } from './product-exports.repository.js';

@Injectable()
export class ProductExportsService extends ResourceService<ProductExport> {
  constructor(
    exports: ProductExportsRepository,
    private readonly jobs: Jobs,
  ) {
    super(exports);
  }

  override async create(values: Partial<ProductExport>, tx: SqlExecutor): Promise<ProductExport> {
    const created = await super.create(values, tx);
    await this.jobs.add(tx, 'product-exports', { exportId: created.id });
    return created;
  }
}
