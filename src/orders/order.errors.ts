import { defineErrors } from '@plinth/core';

export const {
  ORDER_NOT_FOUND,
  ORDER_ITEM_NOT_FOUND,
  PRODUCT_OUT_OF_STOCK,
  INVALID_STATUS_TRANSITION,
  ORDER_NOT_EDITABLE,
  ORDER_NOT_DELETABLE,
  ORDER_ITEM_ALREADY_EXISTS,
  ORDER_ITEM_COUNT,
  ORDER_TOTAL_TOO_LARGE,
} = defineErrors({
  ORDER_NOT_FOUND: [404, 'There is no such order.'],
  ORDER_ITEM_NOT_FOUND: [404, 'There is no such order item.'],
  PRODUCT_OUT_OF_STOCK: [409, 'A product that is not in stock cannot be ordered.'],
  INVALID_STATUS_TRANSITION: [409, 'The order cannot change from its status to the new one.'],
  ORDER_NOT_EDITABLE: [409, 'Items can only be changed while the order is pending.'],
  ORDER_NOT_DELETABLE: [409, 'Only a pending or cancelled order can be deleted.'],
  ORDER_ITEM_ALREADY_EXISTS: [
    409,
    'The order already has an item of this product. Change its quantity instead.',
  ],
  ORDER_ITEM_COUNT: [409, 'An order must have 1 to 100 items. If you do not want any, cancel it.'],
  ORDER_TOTAL_TOO_LARGE: [422, 'The total would exceed 9999999999999.99.'],
});
