import { Injectable } from '@nestjs/common';

import { callerIsGone } from '../access/current-caller.js';
import { permit } from '../access/decision.js';
import { Principal } from '../access/principal.js';
import { Connection } from '../database/connection.js';
import { Database } from '../database/database.js';
import { WriteConditions } from '../http/caching/preconditions.js';
import { ApiError } from '../http/errors/api-error.js';
import { ListQuery } from '../lists/list-query.js';
import { Page } from '../lists/list-representation.js';
import { ProductsService } from '../products/products.service.js';
import { Key } from '../resources/resource-repository.js';
import { USER_NOT_FOUND } from '../users/user.errors.js';
import { UsersService } from '../users/users.service.js';
import { OrderLine, priced } from './order-lines.js';
import { CUSTOMERS_MOVE, OrderStatus } from './order-status.js';
import { OrderKey, OrderRow, OrdersRepository } from './orders.repository.js';

/** Purchases. Throws `ORDER_NOT_FOUND` and, on writes, `PRECONDITION_FAILED`. */
@Injectable()
export class OrdersService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly products: ProductsService,
    private readonly users: UsersService,
    private readonly database: Database,
  ) {}

  list(query: ListQuery): Promise<Page<OrderRow>> {
    return this.orders.list(query);
  }

  /** @throws ApiError `USER_NOT_FOUND` */
  async listOf(userId: number, query: ListQuery): Promise<Page<OrderRow>> {
    const page = await this.orders.list(query);
    if (page.rows.length === 0) await this.users.get(userId);
    return page;
  }

  get(key: Key<OrderRow>): Promise<OrderRow> {
    return this.orders.get(key);
  }

  /**
   * Places an order: whole or not at all, with names and prices as they are now.
   *
   * @throws ApiError `USER_NOT_FOUND`, 401 where that is the caller; `PRODUCT_OUT_OF_STOCK`, `ORDER_TOTAL_TOO_LARGE`; 422 for unknown products
   */
  create(userId: number, lines: readonly OrderLine[], caller: Principal, on: Connection): Promise<OrderRow> {
    return on.transaction(async (transaction) => {
      const ids = lines.map(({ productId }) => productId);
      const products = await this.products.lockShared(ids, transaction);
      try {
        return await this.orders.place(userId, priced(lines, products), transaction);
      } catch (error) {
        const isUserGone = error instanceof ApiError && error.type === USER_NOT_FOUND;
        throw isUserGone && userId === caller.userId ? callerIsGone(caller) : error;
      }
    });
  }

  /** @throws ApiError `PERMISSION_DENIED` for a customer's move other than to cancel, `INVALID_STATUS_TRANSITION` */
  async patch(
    key: OrderKey,
    { status }: { status?: OrderStatus },
    caller: Principal,
    conditions: WriteConditions,
  ): Promise<OrderRow> {
    if (status !== undefined && status !== CUSTOMERS_MOVE) permit(caller, 'update');
    if (status === undefined) return this.orders.update(key, {}, conditions);
    return this.database.transaction((on) => this.orders.move(key, status, conditions, on));
  }

  /** @throws ApiError `ORDER_NOT_DELETABLE` */
  remove(key: OrderKey, conditions: WriteConditions): Promise<void> {
    return this.database.transaction((on) => this.orders.removeIfDeletable(key, conditions, on));
  }
}
