import { BodyOf, PickOf } from '@plinth/core';

import { ProductExport } from './product-export.entity.js';

export class ProductExportDto extends PickOf(ProductExport, [
  'id',
  'userId',
  'category',
  'finishedAt',
  'createdAt',
  'updatedAt',
]) {}

export class ProductExportBodyDto extends BodyOf(ProductExportDto, ['category']) {}
