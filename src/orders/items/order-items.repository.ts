import { Injectable } from '@nestjs/common';

import { Database } from '../../database/database.js';
import { ResourceRepository, ResourceRow } from '../../resources/resource-repository.js';
import { ORDER_ITEM_ALREADY_EXISTS, ORDER_ITEM_NOT_FOUND } from '../order.errors.js';
import { OrderItemEntity } from './order-item.entity.js';

/** A line of an order as it is read. */
export interface OrderItemRow extends ResourceRow {
  readonly orderId: number;
  readonly userId: number;
  readonly productId: number | null;
  readonly productName: string;
  readonly unitPrice: number;
  readonly quantity: number;
  readonly lineTotal: number;
}

/** An item of one order of one user. */
export type OrderItemKey = Pick<OrderItemRow, 'id' | 'orderId' | 'userId'>;

@Injectable()
export class OrderItemsRepository extends ResourceRepository<OrderItemRow> {
  constructor(database: Database) {
    const errors = {
      notFound: ORDER_ITEM_NOT_FOUND,
      constraints: { order_items_product_key: ORDER_ITEM_ALREADY_EXISTS },
    };
    super(database, OrderItemEntity, errors, {
      lineTotal: '("order_items"."unit_price" * "order_items"."quantity")::float8',
    });
  }
}
