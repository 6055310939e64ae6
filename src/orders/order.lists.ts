import { defineList, equalsChoice, equalsId } from '../lists/list-definition.js';
import { OrderItemEntity } from './items/order-item.entity.js';
import { ORDER_STATUSES } from './order-status.js';
import { OrderEntity } from './order.entity.js';

/** What can be asked of the orders. */
export const orderList = defineList(OrderEntity, {
  name: 'orders',
  filters: { userId: equalsId('userId'), status: equalsChoice('status', ORDER_STATUSES) },
  sorts: ['total'],
});

/** What can be asked of the items of orders. */
export const orderItemList = defineList(OrderItemEntity, {
  name: 'order-items',
  filters: { orderId: equalsId('orderId'), productId: equalsId('productId') },
});
