import { ApiSchema } from '@nestjs/swagger';

import { Choice, Decimal, Id, ListOf, Timestamp } from '../../fields/fields.js';
import { ORDER_STATUSES, type OrderStatus } from '../order-status.js';
import { NewOrderItemDto, OrderItemDto } from './order-item.dto.js';

const MAX_ITEMS = 100;

/** An order without its items, which are changed at paths of their own. */
export class OrderHeadDto {
  @Id()
  id: number;

  @Id()
  userId: number;

  @Choice({ of: ORDER_STATUSES, example: 'pending' })
  status: OrderStatus;

  @Decimal({ example: 99.8, description: 'Sum of the items, exact to two decimals.' })
  total: number;

  @Timestamp()
  createdAt: string;

  @Timestamp()
  updatedAt: string;
}

@ApiSchema({ name: 'Order' })
export class OrderDto extends OrderHeadDto {
  @ListOf(OrderItemDto, { min: 0, max: MAX_ITEMS })
  items: OrderItemDto[];
}

@ApiSchema({ name: 'CreateOrder' })
export class CreateOrderDto {
  @ListOf(NewOrderItemDto, { min: 1, max: MAX_ITEMS, description: 'A product once.' })
  items: NewOrderItemDto[];
}

@ApiSchema({ name: 'PatchOrder' })
export class PatchOrderDto {
  @Choice({ of: ORDER_STATUSES, optional: true, example: 'cancelled' })
  status?: OrderStatus;
}
