import { defineError } from '../../../src/core/index.js';

export const SUPPLIER_NOT_FOUND = defineError(404, 'SUPPLIER_NOT_FOUND', 'There is no such supplier.');
export const SUPPLIER_ALREADY_EXISTS = defineError(
  409,
  'SUPPLIER_ALREADY_EXISTS',
  'Another supplier has this name.',
);
