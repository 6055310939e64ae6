import { Injectable } from '@nestjs/common';

import { Access } from '../../access/access.js';
import { Connection } from '../../database/connection.js';
import { Database } from '../../database/database.js';
import { UNCONDITIONAL, WriteConditions } from '../../http/caching/preconditions.js';
import { ApiError } from '../../http/errors/api-error.js';
import { ListQuery } from '../../lists/list-query.js';
import { Page } from '../../lists/list-representation.js';
import { ProductsService } from '../../products/products.service.js';
import { Key } from '../../resources/resource-repository.js';
import { OrderLine, priced, PricedLine } from '../order-lines.js';
import { EDITABLE } from '../order-status.js';
import { ORDER_ITEM_COUNT, ORDER_NOT_EDITABLE } from '../order.errors.js';
import { OrderKey, OrderRow, OrdersRepository, refusal } from '../orders.repository.js';
import { OrderItemKey, OrderItemRow, OrderItemsRepository } from './order-items.repository.js';

const MAX_ITEMS = 100;

/**
 * The lines of an order. They change while it is pending, under its lock; its total and version follow in the same
 * transaction. Throws `ORDER_NOT_FOUND`, `ORDER_ITEM_NOT_FOUND` and, on writes, `PRECONDITION_FAILED`,
 * `ORDER_NOT_EDITABLE`, `ORDER_ITEM_COUNT`, `ORDER_TOTAL_TOO_LARGE`.
 */
@Injectable()
export class OrderItemsService {
  constructor(
    private readonly items: OrderItemsRepository,
    private readonly orders: OrdersRepository,
    private readonly products: ProductsService,
    private readonly database: Database,
  ) {}

  list(query: ListQuery): Promise<Page<OrderItemRow>> {
    return this.items.list(query);
  }

  async listOf(order: OrderKey, query: ListQuery): Promise<Page<OrderItemRow>> {
    const page = await this.items.list(query);
    if (page.rows.length === 0) await this.orders.get(order);
    return page;
  }

  get(key: Key<OrderItemRow>): Promise<OrderItemRow> {
    return this.items.get(key);
  }

  /** @throws ApiError `ORDER_ITEM_ALREADY_EXISTS`, `PRODUCT_OUT_OF_STOCK`; 422 for an unknown product */
  create(key: OrderKey, line: OrderLine, access: Access, on: Connection): Promise<OrderItemRow> {
    return on.transaction(async (transaction) => {
      mustBeEditable(await this.orders.lock(key, transaction));
      const values = {
        ...(await this.price(line, access, transaction)),
        orderId: key.id,
        userId: key.userId,
      };
      const item = await this.items.insert(values, transaction);
      await this.follow(key, transaction);
      return item;
    });
  }

  /** Another product comes with its name and price of now; another quantity keeps the price. */
  patch(
    key: OrderItemKey,
    changes: Partial<OrderLine>,
    access: Access,
    conditions: WriteConditions,
  ): Promise<OrderItemRow> {
    return this.database.transaction(async (on) => {
      const order = await this.orders.lock(orderOf(key), on);
      const before = await this.items.lock(key, on, conditions);
      mustBeEditable(order);
      const { productId = before.productId, quantity = before.quantity } = changes;
      const isOther = productId !== null && productId !== before.productId;
      const values = isOther ? await this.price({ productId, quantity }, access, on) : { quantity };
      const after = await this.items.update(key, values, UNCONDITIONAL, on);
      if (after.version !== before.version) await this.follow(order, on);
      return after;
    });
  }

  remove(key: OrderItemKey, conditions: WriteConditions): Promise<void> {
    return this.database.transaction(async (on) => {
      const order = await this.orders.lock(orderOf(key), on);
      await this.items.lock(key, on, conditions);
      mustBeEditable(order);
      await this.items.remove(key, UNCONDITIONAL, on);
      await this.follow(order, on);
    });
  }

  /** Makes the order, which is locked, follow its items. */
  private async follow({ id }: { readonly id: number }, on: Connection): Promise<void> {
    const count = await this.orders.followItems(id, on);
    if (count < 1 || count > MAX_ITEMS) throw new ApiError(ORDER_ITEM_COUNT);
  }

  private async price(line: OrderLine, access: Access, on: Connection): Promise<PricedLine> {
    const products = await this.products.lockShared([line.productId], access, on);
    const [result] = priced([line], products, () => 'productId');
    return result as PricedLine;
  }
}

const orderOf = ({ orderId, userId }: OrderItemKey): OrderKey => ({ id: orderId, userId });

function mustBeEditable({ status }: OrderRow): void {
  if (status !== EDITABLE) throw refusal(ORDER_NOT_EDITABLE, status);
}
