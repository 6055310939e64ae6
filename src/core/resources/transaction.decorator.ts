import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

import { Connection } from '../database/connection.js';
import { routePolicy } from '../http/route-policy.js';

declare module '../http/route-policy.js' {
  interface RoutePolicy {
    isTransactional?: boolean;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    transaction?: Connection;
  }
}

const read = createParamDecorator((_: undefined, context: ExecutionContext): Connection => {
  const { transaction } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!transaction) throw new Error('@Transaction() belongs on a POST of a @Resource()');
  return transaction;
});

/**
 * The transaction of a POST: what is written with it is stored together with the response, or not at all. The route
 * may run again from its start, see `Database.transaction()`.
 */
export function Transaction(): ParameterDecorator {
  return (target, method, index) => {
    if (method === undefined) throw new Error('@Transaction() belongs on a parameter of a route');
    read(undefined)(target, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(target, method) as PropertyDescriptor;
    routePolicy({ isTransactional: true })(target, method, descriptor);
  };
}
export type Transaction = Connection;
