import { BodyOf, Id, Integer, ListOf, PatchOf, PickOf } from '@plinth/core';
import { Expose } from 'class-transformer';

import { MAX_ORDER_ITEMS, Order, OrderItemDto, QUANTITY } from './order.entity.js';

const RESPONSE_FIELDS = ['id', 'userId', 'status', 'total', 'createdAt', 'updatedAt'] as const;

/** Path parameters of `/users/:id/orders/:orderId`. */
export class OrderKey {
  @Expose({ name: 'id' })
  @Id()
  userId: number;

  @Expose({ name: 'orderId' })
  @Id()
  id: number;
}

/** Path parameters of `/users/:id/orders/:orderId/items/:itemId`. */
export class OrderItemKey {
  @Expose({ name: 'id' })
  @Id()
  userId: number;

  @Id()
  orderId: number;

  @Expose({ name: 'itemId' })
  @Id()
  id: number;
}

export class OrderDto extends PickOf(Order, [...RESPONSE_FIELDS, 'items']) {}

export class NewOrderItemDto extends BodyOf(OrderItemDto, []) {
  @Id({ example: 43 })
  productId: number;

  @Integer(QUANTITY)
  quantity: number;
}

export class PatchOrderItemDto extends PatchOf(
  BodyOf(NewOrderItemDto, ['productId', 'quantity'], { productId: { example: 42 } }),
) {}

export class CreateOrderDto extends BodyOf(OrderDto, []) {
  @ListOf(NewOrderItemDto, {
    min: 1,
    max: MAX_ORDER_ITEMS,
    description: 'No two items may have the same product.',
    example: [{ productId: 42, quantity: 2 }],
  })
  items: NewOrderItemDto[];
}

/** A PATCH of an order with `items` is refused, because items have routes of their own. */
const OrderWithoutItems = PickOf(OrderDto, RESPONSE_FIELDS);

export class PatchOrderDto extends PatchOf(
  BodyOf(OrderWithoutItems, ['status'], { status: { example: 'cancelled' } }),
) {}
