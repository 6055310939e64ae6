import { defineErrors } from '@plinth/core';

export const { SUPPLIER_ALREADY_EXISTS, SUPPLIER_NOT_FOUND } = defineErrors({
  SUPPLIER_NOT_FOUND: [404, 'There is no such supplier.'],
  SUPPLIER_ALREADY_EXISTS: [409, 'Another supplier has this name.'],
});
