import { Injectable } from '@nestjs/common';
import {
  ApiError,
  Caller,
  Connection,
  Database,
  EVERYTHING,
  ListQuery,
  Page,
  Preconditions,
  ResourceRepository,
  ResourceService,
  UNCONDITIONAL,
} from '@plinth/core';

import { ProductsService } from '../../products/products.service.js';
import { OrderLine, priced, PricedLine } from '../order-lines.js';
import { EDITABLE } from '../order-status.js';
import { MAX_ITEMS, Order, OrderItem } from '../order.entity.js';
import { ORDER_ITEM_COUNT, ORDER_NOT_EDITABLE } from '../order.errors.js';
import { ORDER_ITEMS, ORDERS } from '../order.resource.js';
import { OrdersRepository, refusal } from '../orders.repository.js';

export type OfOrder = Pick<OrderItem, 'orderId' | 'userId'>;

export type ItemKey = Pick<OrderItem, 'id' | keyof OfOrder>;

/** The lines of an order. They change while it is pending, under its lock; its total and version follow. */
@Injectable()
export class OrderItemsService extends ResourceService<OrderItem> {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly products: ProductsService,
    private readonly database: Database,
  ) {
    super(new ResourceRepository(database, ORDER_ITEMS));
  }

  listOfOrder(order: OfOrder, query: ListQuery): Promise<Page<OrderItem>> {
    return this.repository.listUnder(ORDERS, orderOf(order), query);
  }

  /** @throws ApiError `ORDER_ITEM_ALREADY_EXISTS`, `PRODUCT_OUT_OF_STOCK`; 422 for an unknown product */
  add(order: OfOrder, line: OrderLine, caller: Caller, on: Connection): Promise<OrderItem> {
    return on.transaction(async (transaction) => {
      mustBeEditable(await this.orders.lock(orderOf(order), EVERYTHING, transaction));
      const values = { ...(await this.price(line, caller, transaction)), ...order };
      const item = await this.repository.insert(values, transaction);
      await this.follow(order.orderId, transaction);
      return item;
    });
  }

  /** Another product comes with its name and price of now; another quantity keeps the price. */
  change(
    key: ItemKey,
    changes: Partial<OrderLine>,
    caller: Caller,
    conditions: Preconditions,
  ): Promise<OrderItem> {
    return this.database.transaction(async (on) => {
      const order = await this.orders.lock(orderOf(key), EVERYTHING, on);
      const before = await this.repository.lock(key, caller.visibility, on, conditions);
      mustBeEditable(order);
      const { productId = before.productId, quantity = before.quantity } = changes;
      const isOther = productId !== null && productId !== before.productId;
      const values = isOther ? await this.price({ productId, quantity }, caller, on) : { quantity };
      const after = await this.repository.update(key, values, EVERYTHING, UNCONDITIONAL, on);
      if (after.version !== before.version) await this.follow(key.orderId, on);
      return after;
    });
  }

  takeOut(key: ItemKey, caller: Caller, conditions: Preconditions): Promise<void> {
    return this.database.transaction(async (on) => {
      const order = await this.orders.lock(orderOf(key), EVERYTHING, on);
      await this.repository.lock(key, caller.visibility, on, conditions);
      mustBeEditable(order);
      await this.repository.remove(key, EVERYTHING, UNCONDITIONAL, on);
      await this.follow(key.orderId, on);
    });
  }

  private async follow(orderId: number, on: Connection): Promise<void> {
    const count = await this.orders.followItems(orderId, on);
    if (count < 1 || count > MAX_ITEMS) throw new ApiError(ORDER_ITEM_COUNT);
  }

  private async price(line: OrderLine, caller: Caller, on: Connection): Promise<PricedLine> {
    const products = await this.products.lockForShare([line.productId], caller, on);
    const [result] = priced([line], products, () => 'productId');
    return result as PricedLine;
  }
}

const orderOf = ({ orderId, userId }: OfOrder): Pick<Order, 'id' | 'userId'> => ({ id: orderId, userId });

function mustBeEditable({ status }: Order): void {
  if (status !== EDITABLE) throw refusal(ORDER_NOT_EDITABLE, status);
}
