import {
  anyOf,
  atLeast,
  atMost,
  defineList,
  equals,
  grantsOn,
  grantsOnParent,
  ResourceDefinition,
} from '@plinth/core';

import { USER_NOT_FOUND } from '../users/user.errors.js';
import { Order, OrderItem } from './order.entity.js';
import * as errors from './order.errors.js';

export const orderList = defineList(Order, {
  name: 'orders',
  filters: {
    userId: equals('userId'),
    status: anyOf('status'),
    minTotal: atLeast('total'),
    maxTotal: atMost('total'),
  },
  sorts: ['total'],
  totals: ['userId', 'status'],
});

export const ORDERS: ResourceDefinition<Order> = {
  path: 'orders',
  description: 'The orders of users.',
  entity: Order,
  notFound: errors.ORDER_NOT_FOUND,
  constraints: { orders_user_id_fkey: USER_NOT_FOUND, orders_total_range: errors.ORDER_TOTAL_TOO_LARGE },
  grants: [grantsOn('order'), grantsOnParent('user', 'userId')],
};

export const orderItemList = defineList(OrderItem, {
  name: 'order-items',
  filters: { orderId: equals('orderId'), productId: equals('productId') },
  // An order has few items.
  unindexed: ['orderId'],
  totals: [],
});

export const ORDER_ITEMS: ResourceDefinition<OrderItem> = {
  path: 'order-items',
  description: 'The items of orders.',
  entity: OrderItem,
  notFound: errors.ORDER_ITEM_NOT_FOUND,
  constraints: { order_items_product_key: errors.ORDER_ITEM_ALREADY_EXISTS },
  grants: [grantsOnParent('order', 'orderId'), grantsOnParent('user', 'userId')],
};
