import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

import { Connection } from '../database/connection.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the statements of a POST run on. */
    transaction: Connection | undefined;
  }
}

/**
 * What the statements of a POST run on: the transaction in which the response to its `Idempotency-Key` is stored, or the
 * pool where the request has no key. Work that takes several statements asks it for `transaction()`.
 *
 * @example create(@Body() body: CreateProductDto, @Transaction() tx: Transaction) { … }
 */
export const Transaction: () => ParameterDecorator = createParamDecorator(
  (_: undefined, context: ExecutionContext): Connection => {
    const { transaction, policy } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!transaction) throw new Error(`${policy?.route ?? ''}: only POST runs in a transaction`);
    return transaction;
  },
);
export type Transaction = Connection;
