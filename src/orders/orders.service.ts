import { Injectable } from '@nestjs/common';
import {
  ApiError,
  Caller,
  INVALID_TOKEN,
  SqlExecutor,
  Database,
  EVERYTHING,
  ListQuery,
  Page,
  Preconditions,
  ResourceService,
  UNCONDITIONAL,
} from '@plinth/core';

import { USER_NOT_FOUND } from '../users/user.errors.js';
import { USERS } from '../users/user.resource.js';
import { OrderKey } from './order.dto.js';
import { OrderLine, priceLines } from './order-lines.js';
import { CUSTOMER_TRANSITION, DELETABLE_STATUSES, OrderStatus, allowedTransitions } from './order-status.js';
import { Order } from './order.entity.js';
import { INVALID_STATUS_TRANSITION, ORDER_NOT_DELETABLE } from './order.errors.js';
import { OrdersRepository, statusError } from './orders.repository.js';

/**
 * The maximum number of attempts to place an order. An attempt fails without a reason only if a product changes at the
 * same time, so if all attempts fail, there is a bug.
 */
const MAX_PLACE_ATTEMPTS = 20;

/** Orders of users. Methods throw `ORDER_NOT_FOUND`; writes also throw `PRECONDITION_FAILED`. */
@Injectable()
export class OrdersService extends ResourceService<Order> {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly database: Database,
  ) {
    super(orders);
  }

  listOfUser(userId: number, query: ListQuery): Promise<Page<Order>> {
    return this.orders.listByParent(USERS, { id: userId }, query);
  }

  /**
   * Places an order with the current names and prices of its products. One statement stores the order and its items.
   * If it stores nothing, a second statement finds the reason.
   * @throws ApiError 422 for an unknown, hidden or repeated product; `PRODUCT_OUT_OF_STOCK`
   */
  async place(userId: number, lines: readonly OrderLine[], caller: Caller, tx: SqlExecutor): Promise<Order> {
    const ids = lines.map(({ productId }) => productId);
    const hidden = caller.hiddenIds('product');
    const isAllowed = new Set(ids).size === ids.length && !ids.some((id) => hidden.has(id));
    // If the caller orders for themselves and their user is gone, the credentials are no longer valid.
    const explain = (error: unknown): never => {
      const isUserGone = error instanceof ApiError && error.type === USER_NOT_FOUND;
      throw isUserGone && userId === caller.userId ? new ApiError(INVALID_TOKEN) : error;
    };
    for (let race = 0; race < MAX_PLACE_ATTEMPTS; race++) {
      const order = isAllowed && (await this.orders.place(userId, lines, tx).catch(explain));
      if (order) return order;
      priceLines(lines, await this.orders.lockProducts(ids, hidden, tx));
      // There is no reason left, because a product that was missing or out of stock has become available: try again.
    }
    throw new Error(`could not place the order: its products kept changing (${MAX_PLACE_ATTEMPTS} attempts)`);
  }

  /**
   * Gives an order another status. Customers may cancel their own orders. Other changes need the permission `update`,
   * from the role or from a grant.
   */
  async move(
    key: OrderKey,
    status: OrderStatus | undefined,
    caller: Caller,
    conditions: Preconditions,
  ): Promise<Order> {
    const { scope } = caller;
    if (status === undefined) return this.orders.update(key, {}, scope, conditions);
    if (status !== CUSTOMER_TRANSITION) caller.authorize('update', key);
    return this.database.transaction(async (tx) => {
      const order = await this.orders.lock(key, scope, tx, conditions);
      assertTransition(order.status, status);
      return this.orders.update(key, { status }, EVERYTHING, UNCONDITIONAL, tx);
    });
  }

  override remove(key: OrderKey, { scope }: Caller, conditions: Preconditions): Promise<void> {
    return this.database.transaction(async (tx) => {
      const { status } = await this.orders.lock(key, scope, tx, conditions);
      if (!DELETABLE_STATUSES.includes(status)) throw statusError(ORDER_NOT_DELETABLE, status);
      await this.orders.remove(key, EVERYTHING, UNCONDITIONAL, tx);
    });
  }
}

function assertTransition(from: OrderStatus, to: OrderStatus): void {
  const next = allowedTransitions(from);
  if (next.includes(to)) return;
  const moves = next.join(' or ') || 'no other status';
  throw new ApiError(
    INVALID_STATUS_TRANSITION,
    `The order is ${from}, and can change to ${moves} (got ${to}).`,
  );
}
