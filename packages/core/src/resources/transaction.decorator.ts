import { Connection } from '../database/connection.js';
import { requestParameter, routePolicy } from '../http/route-policy.js';

declare module 'fastify' {
  interface FastifyRequest {
    transaction?: Connection;
  }
}

/**
 * The transaction of a POST: what is written with it is stored together with the response, or not at all. The route
 * may run again from its start, see `Database.transaction()`.
 * @example create(@Body() body: CreateProductDto, @Transaction() tx: Transaction) { return this.products.create(body, tx); }
 */
export const Transaction = requestParameter(
  ({ transaction }) => {
    if (!transaction) throw new Error('@Transaction() belongs on a POST of a @Resource()');
    return transaction;
  },
  routePolicy({ isTransactional: true }),
);
export type Transaction = Connection;
