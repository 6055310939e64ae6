import { createParamDecorator } from '@nestjs/common';

import { Connection } from '../database/connection.js';

/** Stands for what the route fills in when it runs the method. */
export const readTransaction = (): never => {
  throw new Error('@Transaction() belongs on a POST of a @Resource()');
};

/**
 * The connection that the statements of a POST run on: the transaction in which the response to its `Idempotency-Key`
 * is stored, or the pool if the request has no key. Work that takes several statements asks it for `transaction()`.
 *
 * @example create(@Body() body: CreateProductDto, @Transaction() tx: Transaction) { … }
 */
export const Transaction: () => ParameterDecorator = createParamDecorator(readTransaction);
export type Transaction = Connection;
