import { Choice, Decimal, Id, Integer, ListOf, PickOf, ResourceEntity, Text } from '@plinth/core';
import { Check, Entity, ForeignKey, Index, Unique } from 'typeorm';

import { Product } from '../products/product.entity.js';
import { User } from '../users/user.entity.js';
import { ORDER_STATUSES, type OrderStatus } from './order-status.js';

export const MAX_ORDER_ITEMS = 100;
export const QUANTITY = { min: 1, max: 1000, example: 2 };
const ORDERED_VALUE_DESCRIPTION = 'The value when the product was ordered.';

@Entity('order_items')
@Check('order_items_quantity_range', 'quantity between 1 and 1000')
@Check('order_items_unit_price_range', 'unit_price >= 0')
// The index of this constraint also finds the items of an order. They need no index for sorts, because they are few.
@Unique('order_items_product_key', ['orderId', 'productId'])
// An item repeats the user of its order, so that lists of items can be filtered by user without a join.
@ForeignKey(() => Order, ['orderId', 'userId'], ['id', 'userId'], {
  name: 'order_items_order_id_fkey',
  onDelete: 'CASCADE',
})
@Index('order_items_user_created_at', ['userId', 'createdAt', 'id'])
@Index('order_items_product_created_at', ['productId', 'createdAt', 'id'])
export class OrderItem extends ResourceEntity {
  @Id({ readOnly: true })
  orderId: number;

  @Id({ readOnly: true })
  userId: number;

  /** Null after the product has been deleted. Triggers then give the item and its order new versions. */
  @Id({ nullable: true, description: '`null` if the product has been deleted.' })
  @ForeignKey(() => Product, { onDelete: 'SET NULL' })
  productId: number | null;

  @Text({ max: 200, readOnly: true, example: 'Walnut desk lamp', description: ORDERED_VALUE_DESCRIPTION })
  productName: string;

  @Decimal({ precision: 12, scale: 2, readOnly: true, example: 49.9, description: ORDERED_VALUE_DESCRIPTION })
  unitPrice: number;

  @Integer(QUANTITY)
  quantity: number;

  @Decimal({ computed: (item) => `${item['unitPrice'] ?? ''} * ${item['quantity'] ?? ''}`, example: 99.8 })
  lineTotal: number;
}

export class OrderItemDto extends PickOf(OrderItem, [
  'id',
  'orderId',
  'productId',
  'productName',
  'unitPrice',
  'quantity',
  'lineTotal',
]) {}

/** SQL for the items of an order as a JSON array, in the form of the response. The statement must name the items `i`. */
export const ITEMS_JSON = `
  coalesce(json_agg(json_build_object(
    'id', i.id, 'orderId', i.order_id, 'productId', i.product_id, 'productName', i.product_name,
    'unitPrice', i.unit_price, 'quantity', i.quantity, 'lineTotal', i.unit_price * i.quantity) order by i.id), '[]')`;

/** Returns a subquery for the items of an order. It is part of the statement for the order, so both see one snapshot. */
const selectItems = (order: Readonly<Record<string, string>>): string =>
  `select ${ITEMS_JSON} from order_items i where i.order_id = ${order['id'] ?? ''} and i.user_id = ${order['userId'] ?? ''}`;

@Entity('orders')
@Check('orders_status_known', `status in ('pending', 'paid', 'shipped', 'delivered', 'cancelled')`)
// A JSON number can hold the maximum exactly. One item never exceeds it, even at the maximum price and quantity.
@Check('orders_total_range', 'total between 0 and 9999999999999.99')
// The foreign key of items refers to both columns.
@Unique('orders_id_user_id_key', ['id', 'userId'])
@Index('orders_status_created_at', ['status', 'createdAt', 'id'])
@Index('orders_status_total', ['status', 'total', 'id'])
@Index('orders_user_created_at', ['userId', 'createdAt', 'id'])
@Index('orders_user_total', ['userId', 'total', 'id'])
export class Order extends ResourceEntity {
  @Id({ readOnly: true })
  @ForeignKey(() => User)
  userId: number;

  @Choice({ of: ORDER_STATUSES, default: 'pending', example: 'pending' })
  status: OrderStatus;

  @Decimal({
    scale: 2,
    readOnly: true,
    example: 99.8,
    description: 'The sum of all items, exact to two decimal places.',
    column: { precision: 17 },
  })
  total: number;

  @ListOf(OrderItemDto, { min: 0, max: MAX_ORDER_ITEMS, computed: selectItems })
  items: OrderItemDto[];
}
