import { Injectable } from '@nestjs/common';

import {
  ApiError,
  Connection,
  Database,
  deleteStatement,
  ErrorType,
  NEXT_VERSION,
  Preconditions,
  ReadRow,
  ResourceRepository,
  RowKey,
  Statement,
  statementName,
  updateStatement,
  Visibility,
} from '../core/index.js';
import { lockForShare } from '../products/product.entity.js';
import { OrderLine } from './order-lines.js';
import { DELETABLE, OrderStatus, statusesAfter, statusesBefore } from './order-status.js';
import { ITEMS_SHOWN, Order } from './order.entity.js';
import { INVALID_STATUS_TRANSITION, ORDER_NOT_DELETABLE } from './order.errors.js';
import { ORDERS } from './order.resource.js';

/**
 * Locks the products, copies their names and prices, and stores an order with its items; stores nothing if a product is
 * missing or out of stock. Returns the whole order, since a statement does not see in tables what it has stored itself.
 */
const place = (columns: string): string => `
  with lines as (
    select * from unnest($2::bigint[], $3::int[]) with ordinality as line (product_id, quantity, place)
  ), chosen as (
    ${lockForShare('id, name, price, in_stock', '$2')}
  ), priced as (
    select place, chosen.id as product_id, name, price, quantity from lines join chosen on chosen.id = product_id and in_stock
  ), placed as (
    insert into orders (user_id, total) select $1::int, sum(price * quantity) from priced
    having count(*) = cardinality($2) returning *
  ), items as (
    insert into order_items (order_id, user_id, product_id, product_name, unit_price, quantity)
    select placed.id, placed.user_id, product_id, name, price, quantity from placed, priced order by place
    returning *
  )
  select ${columns}, (select ${ITEMS_SHOWN} from items i) as items from placed`;

const FOLLOW_ITEMS = `
  with items as (select count(*)::int as count, coalesce(sum(unit_price * quantity), 0) as total
                 from order_items where order_id = $1)
  update orders set total = items.total, ${NEXT_VERSION} from items where id = $1 returning items.count`;

/** A conditional write that loses more races than this is a bug. */
const MAX_RACES = 20;

/** An order of one user. */
export type OrderKey = Pick<Order, 'id' | 'userId'>;

@Injectable()
export class OrdersRepository extends ResourceRepository<Order> {
  constructor(database: Database) {
    super(database, ORDERS);
  }

  /**
   * Stores an order of products, with their names and prices as they are now, in one statement. Money is summed by
   * PostgreSQL, in decimal.
   *
   * @param lines no two of one product
   * @returns `undefined` where a product is not there or not in stock: nothing is stored
   */
  async place(userId: number, lines: readonly OrderLine[], on: Connection): Promise<Order | undefined> {
    const { sql, read, width } = this.table.stored;
    const text = place(sql);
    const readPlaced: ReadRow = (found) => Object.assign(read(found), { items: found[width] });
    const values = [userId, lines.map(({ productId }) => productId), lines.map(({ quantity }) => quantity)];
    const statement = { text, values, name: statementName(text), read: readPlaced };
    const [placed] = await this.guarded(on.query<Order>(statement));
    return placed;
  }

  /**
   * Moves an order to a status: of several moves at once, those that follow from what the others made of it.
   *
   * @throws ApiError `ORDER_NOT_FOUND`, `PRECONDITION_FAILED`, `INVALID_STATUS_TRANSITION`
   */
  async move(
    key: OrderKey,
    status: OrderStatus,
    scope: Visibility,
    conditions: Preconditions,
    on: Connection,
  ): Promise<Order> {
    const write = (from: RowKey): Statement =>
      updateStatement(this.table, from, scope, { status }, conditions);
    const moved = await this.ifStatus(
      key,
      statusesBefore(status),
      scope,
      conditions,
      on,
      write,
      (current) => {
        const next = statusesAfter(current).join(' or ') || 'no other status';
        return new ApiError(
          INVALID_STATUS_TRANSITION,
          `The order is ${current}; it moves to ${next}, not to ${status}.`,
        );
      },
    );
    return this.whole(moved, on);
  }

  /** @throws ApiError `ORDER_NOT_FOUND`, `PRECONDITION_FAILED`, `ORDER_NOT_DELETABLE` */
  async removeIfDeletable(
    key: OrderKey,
    scope: Visibility,
    conditions: Preconditions,
    on: Connection,
  ): Promise<void> {
    const write = (from: RowKey): Statement => deleteStatement(this.table, from, scope, conditions);
    await this.ifStatus(key, DELETABLE, scope, conditions, on, write, (current) =>
      refusal(ORDER_NOT_DELETABLE, current),
    );
  }

  /** Makes the total what the items make. @returns how many there are */
  async followItems(id: number, on: Connection): Promise<number> {
    const statement = { text: FOLLOW_ITEMS, values: [id], name: statementName(FOLLOW_ITEMS) };
    const [order] = await this.guarded(on.query<{ count: number }>(statement));
    return (order as { count: number }).count;
  }

  /** Writes an order if its status is one of these, in one statement. */
  private async ifStatus(
    key: OrderKey,
    statuses: readonly OrderStatus[],
    scope: Visibility,
    conditions: Preconditions,
    on: Connection,
    write: (key: RowKey) => Statement,
    refused: (current: OrderStatus) => ApiError,
  ): Promise<Order> {
    for (let race = 0; race < MAX_RACES; race++) {
      const [written] = await on.query<Order>(write({ ...key, status: statuses }));
      if (written) return written;
      const { status } = await this.assertPreconditions(key, scope, conditions, on);
      // Where it is in one of them now, it has just come there.
      if (!statuses.includes(status)) throw refused(status);
    }
    throw new Error(`the order ${key.id} was changed under ${MAX_RACES} attempts to write it`);
  }
}

/** The error for a change that an order in this status does not take. */
export const refusal = (type: ErrorType, status: OrderStatus): ApiError =>
  new ApiError(type, `${type.summary} It is ${status}.`);
