import { defineErrors, ResourceDefinition } from '@plinth/core';

import { ProductExport } from './product-export.entity.js';

export const { PRODUCT_EXPORT_NOT_FOUND } = defineErrors({
  PRODUCT_EXPORT_NOT_FOUND: [404, 'There is no such export.'],
});

export const PRODUCT_EXPORTS: ResourceDefinition<ProductExport> = {
  path: 'product-exports',
  entity: ProductExport,
  notFound: PRODUCT_EXPORT_NOT_FOUND,
  description: 'Exports of products, sent by mail.',
};
