import { Injectable } from '@nestjs/common';
import {
  ApiError,
  SqlExecutor,
  Database,
  ErrorType,
  equalsAnySql,
  NEXT_VERSION,
  prepared,
  ResourceRepository,
} from '@plinth/core';

import { LockedProduct, OrderLine } from './order-lines.js';
import { OrderStatus } from './order-status.js';
import type { OrderKey } from './order.dto.js';
import { ITEMS_JSON, MAX_ORDER_ITEMS, Order } from './order.entity.js';
import { ORDER_ITEM_COUNT } from './order.errors.js';
import { ORDERS } from './order.resource.js';

/** Returns SQL that reads products and locks them against deletion. It locks by ascending id, to prevent deadlocks. */
const lockProductsSql = (columns: string, ids: string): string =>
  `select ${columns} from products where ${equalsAnySql('id', ids, 'bigint')} order by id for key share`;

const LOCK_PRODUCTS = lockProductsSql('id, name, price::float8 as price, in_stock as "inStock"', '$1');

/**
 * Returns SQL that locks products, and stores an order and its items with the names and prices of these products. It
 * stores nothing if a product does not exist or is out of stock. It builds the items of the result from `returning`,
 * because a statement cannot select the rows that it has inserted.
 */
const placeSql = (columns: string): string => `
  with lines as (
    select * from unnest($2::bigint[], $3::int[]) with ordinality as line (product_id, quantity, place)
  ), chosen as (
    ${lockProductsSql('id, name, price, in_stock', '$2')}
  ), priced as (
    select place, chosen.id as product_id, name, price, quantity from lines join chosen on chosen.id = product_id and in_stock
  ), placed as (
    insert into orders (user_id, total) select $1::bigint, sum(price * quantity) from priced
    having count(*) = cardinality($2) returning *
  ), items as (
    insert into order_items (order_id, user_id, product_id, product_name, unit_price, quantity)
    select placed.id, placed.user_id, product_id, name, price, quantity from placed, priced order by place
    returning *
  )
  select ${columns}, (select ${ITEMS_JSON} from items i) as items from placed`;

const RECALCULATE_TOTAL = `
  with items as (select count(*)::int as count, coalesce(sum(unit_price * quantity), 0) as total
                 from order_items where order_id = $1 and user_id = $2)
  update orders set total = items.total, ${NEXT_VERSION} from items where id = $1 and user_id = $2
  returning items.count`;

/** Each statement about orders names their user, so that the tables can be distributed over servers by user. */
@Injectable()
export class OrdersRepository extends ResourceRepository<Order> {
  constructor(database: Database) {
    super(database, ORDERS);
  }

  /**
   * Stores an order in one statement. If a product does not exist or is out of stock, stores nothing and returns
   * `undefined`.
   */
  async place(userId: number, lines: readonly OrderLine[], tx: SqlExecutor): Promise<Order | undefined> {
    const text = placeSql(this.table.returning);
    const values = [userId, lines.map(({ productId }) => productId), lines.map(({ quantity }) => quantity)];
    const [placed] = await this.withConstraintErrors(tx.query<Order>(prepared(text, values)));
    return placed;
  }

  /**
   * Returns products by their ids, and locks them, so that they cannot be deleted before the transaction ends. Leaves
   * out products that do not exist.
   * @param hidden the ids of products that the caller may not see, which are left out too
   */
  async lockProducts(
    ids: readonly number[],
    hidden: ReadonlySet<number>,
    tx: SqlExecutor,
  ): Promise<ReadonlyMap<number, LockedProduct>> {
    const statement = prepared(LOCK_PRODUCTS, [ids.filter((id) => !hidden.has(id))]);
    const products = await tx.query<LockedProduct>(statement);
    return new Map(products.map((product) => [product.id, product]));
  }

  /**
   * Sets the total of an order to the sum of its items.
   * @throws ApiError `ORDER_ITEM_COUNT` if the order has no items, or too many
   */
  async recalculateTotal({ id, userId }: OrderKey, tx: SqlExecutor): Promise<void> {
    const statement = prepared(RECALCULATE_TOTAL, [id, userId]);
    const [order] = await this.withConstraintErrors(tx.query<{ count: number }>(statement));
    const { count } = order as { count: number };
    if (count < 1 || count > MAX_ORDER_ITEMS) throw new ApiError(ORDER_ITEM_COUNT);
  }

  protected override keyFor({ id, userId }: Order): OrderKey {
    return { id, userId };
  }
}

/** Returns the error for a change that an order in this status does not allow. */
export const statusError = (type: ErrorType, status: OrderStatus): ApiError =>
  new ApiError(type, `${type.summary} It is ${status}.`);
