import { defineError } from '../core/index.js';

export const PRODUCT_NOT_FOUND = defineError(404, 'PRODUCT_NOT_FOUND', 'There is no such product.');
