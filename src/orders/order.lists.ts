import { choice, id } from '../fields/kinds.js';
import { equals } from '../lists/filters.js';
import { defineList } from '../lists/list-definition.js';
import { OrderItemEntity } from './items/order-item.entity.js';
import { ORDER_STATUSES } from './order-status.js';
import { OrderEntity } from './order.entity.js';

/** What can be asked of the orders. */
export const orderList = defineList(OrderEntity, {
  name: 'orders',
  filters: { userId: equals('userId', id), status: equals('status', choice(ORDER_STATUSES)) },
  sorts: ['total'],
});

/** What can be asked of the items of orders. */
export const orderItemList = defineList(OrderItemEntity, {
  name: 'order-items',
  filters: { orderId: equals('orderId', id), productId: equals('productId', id) },
});
