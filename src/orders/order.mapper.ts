import { Representation } from '../resources/representation.js';
import { OrderItemDto } from './dto/order-item.dto.js';
import { OrderDto } from './dto/order.dto.js';
import { OrderItemRow } from './items/order-items.repository.js';
import { OrderRow } from './orders.repository.js';

export function toOrderItem(
  row: Omit<OrderItemRow, 'version' | 'createdAt' | 'updatedAt' | 'userId'>,
): OrderItemDto {
  return {
    id: row.id,
    orderId: row.orderId,
    productId: row.productId,
    productName: row.productName,
    unitPrice: row.unitPrice,
    quantity: row.quantity,
    lineTotal: row.lineTotal,
  };
}

export const orderItemOf = (row: OrderItemRow): Representation<OrderItemDto> =>
  new Representation(toOrderItem(row), row);

export function toOrder(row: OrderRow): OrderDto {
  return {
    id: row.id,
    userId: row.userId,
    status: row.status,
    total: row.total,
    items: row.items.map(toOrderItem),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

export const orderOf = (row: OrderRow): Representation<OrderDto> => new Representation(toOrder(row), row);
