import { defineList, equalsChoice, equalsId } from '../lists/list-definition.js';
import { ORDER_STATUSES } from './order-status.js';

/** What can be asked of the orders. */
export const orderList = defineList({
  name: 'orders',
  filters: { userId: equalsId('userId'), status: equalsChoice('status', ORDER_STATUSES) },
  sorts: { total: { type: 'number' } },
});

/** What can be asked of the items of orders. */
export const orderItemList = defineList({
  name: 'order-items',
  filters: { orderId: equalsId('orderId'), productId: equalsId('productId') },
});
