import { Injectable } from '@nestjs/common';
import {
  ApiError,
  Caller,
  SqlExecutor,
  Database,
  EVERYTHING,
  ListQuery,
  Page,
  Preconditions,
  ResourceService,
  UNCONDITIONAL,
} from '@plinth/core';

import { OrderItemKey, OrderKey } from '../order.dto.js';
import { OrderLine, priceLines, PricedLine } from '../order-lines.js';
import { EDITABLE_STATUS } from '../order-status.js';
import { Order, OrderItem } from '../order.entity.js';
import { ORDER_NOT_EDITABLE, PRODUCT_OUT_OF_STOCK } from '../order.errors.js';
import { ORDERS } from '../order.resource.js';
import { OrdersRepository, statusError } from '../orders.repository.js';
import { OrderItemsRepository } from './order-items.repository.js';

/**
 * The items of orders. Each change locks the order, asserts that the order is pending, and updates its total and
 * version.
 */
@Injectable()
export class OrderItemsService extends ResourceService<OrderItem> {
  constructor(
    items: OrderItemsRepository,
    private readonly orders: OrdersRepository,
    private readonly database: Database,
  ) {
    super(items);
  }

  listOfOrder(order: OrderKey, query: ListQuery): Promise<Page<OrderItem>> {
    return this.repository.listByParent(ORDERS, order, query);
  }

  /** @throws ApiError `ORDER_ITEM_ALREADY_EXISTS`, `PRODUCT_OUT_OF_STOCK`; 422 for an unknown product */
  async add(order: OrderKey, line: OrderLine, caller: Caller, tx: SqlExecutor): Promise<OrderItem> {
    assertEditable(await this.orders.lock(order, EVERYTHING, tx));
    const { id: orderId, userId } = order;
    const priced = await this.priceLine(line, caller, tx);
    const item = await this.repository.insert({ ...priced, orderId, userId }, tx);
    await this.orders.recalculateTotal(order, tx);
    return item;
  }

  /**
   * If the product changes, the item gets the current name and price of the new product. If only the quantity changes,
   * the item keeps its price.
   * @throws ApiError `PRODUCT_OUT_OF_STOCK` if the quantity rises, but the product is not sold at the price of the item
   */
  change(
    key: OrderItemKey,
    changes: Partial<OrderLine>,
    caller: Caller,
    conditions: Preconditions,
  ): Promise<OrderItem> {
    return this.database.transaction(async (tx) => {
      const order = await this.orders.lock(toOrderKey(key), EVERYTHING, tx);
      const before = await this.repository.lock(key, caller.scope, tx, conditions);
      assertEditable(order);
      const { productId = before.productId, quantity = before.quantity } = changes;
      const isOther = productId !== null && productId !== before.productId;
      if (!isOther && quantity > before.quantity) await this.assertRaisable(before, caller, tx);
      const values = isOther ? await this.priceLine({ productId, quantity }, caller, tx) : { quantity };
      const after = await this.repository.update(key, values, EVERYTHING, UNCONDITIONAL, tx);
      if (after.version !== before.version) await this.orders.recalculateTotal(toOrderKey(key), tx);
      return after;
    });
  }

  override remove(key: OrderItemKey, caller: Caller, conditions: Preconditions): Promise<void> {
    return this.database.transaction(async (tx) => {
      const order = await this.orders.lock(toOrderKey(key), EVERYTHING, tx);
      await this.repository.lock(key, caller.scope, tx, conditions);
      assertEditable(order);
      await this.repository.remove(key, EVERYTHING, UNCONDITIONAL, tx);
      await this.orders.recalculateTotal(toOrderKey(key), tx);
    });
  }

  /**
   * Asserts that the quantity of an item may rise: its product must be in stock, and must not cost more than the item.
   * @throws ApiError `PRODUCT_OUT_OF_STOCK`
   */
  private async assertRaisable(
    { productId, unitPrice }: OrderItem,
    caller: Caller,
    tx: SqlExecutor,
  ): Promise<void> {
    const ids = productId === null ? [] : [productId];
    const [product] = (await this.orders.lockProducts(ids, caller.hiddenIds('product'), tx)).values();
    if (product?.inStock && product.price <= unitPrice) return;
    const reason = product?.inStock
      ? `It costs ${product.price} now, but cost ${unitPrice} when it was ordered. Place another order to buy more.`
      : 'You can only lower the quantity.';
    throw new ApiError(PRODUCT_OUT_OF_STOCK, `The product cannot be ordered as before. ${reason}`);
  }

  private async priceLine(line: OrderLine, caller: Caller, tx: SqlExecutor): Promise<PricedLine> {
    const products = await this.orders.lockProducts([line.productId], caller.hiddenIds('product'), tx);
    const [result] = priceLines([line], products, () => 'productId');
    return result as PricedLine;
  }
}

const toOrderKey = ({ orderId, userId }: OrderItemKey): OrderKey => ({ id: orderId, userId });

function assertEditable({ status }: Order): void {
  if (status !== EDITABLE_STATUS) throw statusError(ORDER_NOT_EDITABLE, status);
}
