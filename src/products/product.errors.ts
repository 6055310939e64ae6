import { defineErrors } from '@plinth/core';

export const { PRODUCT_NOT_FOUND } = defineErrors({
  PRODUCT_NOT_FOUND: [404, 'There is no such product.'],
});
