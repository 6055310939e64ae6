import { defineError } from '../core/index.js';

export const ORDER_NOT_FOUND = defineError(404, 'ORDER_NOT_FOUND', 'There is no such order.');
export const ORDER_ITEM_NOT_FOUND = defineError(404, 'ORDER_ITEM_NOT_FOUND', 'There is no such order item.');
export const PRODUCT_OUT_OF_STOCK = defineError(
  409,
  'PRODUCT_OUT_OF_STOCK',
  'A product that is not in stock cannot be ordered.',
);
export const INVALID_STATUS_TRANSITION = defineError(
  409,
  'INVALID_STATUS_TRANSITION',
  'An order of this status does not move to that one.',
);
export const ORDER_NOT_EDITABLE = defineError(
  409,
  'ORDER_NOT_EDITABLE',
  'Items change only while the order is pending.',
);
export const ORDER_NOT_DELETABLE = defineError(
  409,
  'ORDER_NOT_DELETABLE',
  'Only a pending or cancelled order can be deleted.',
);
export const ORDER_ITEM_ALREADY_EXISTS = defineError(
  409,
  'ORDER_ITEM_ALREADY_EXISTS',
  'The order has an item of this product: change its quantity.',
);
export const ORDER_ITEM_COUNT = defineError(
  409,
  'ORDER_ITEM_COUNT',
  'An order has 1 to 100 items: cancel one that is not wanted.',
);
export const ORDER_TOTAL_TOO_LARGE = defineError(
  422,
  'ORDER_TOTAL_TOO_LARGE',
  'The total would be above 9999999999999.99.',
);
