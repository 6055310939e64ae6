import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

import { Principal } from './principal.js';

/**
 * Who calls, on routes that are not open to everybody.
 *
 * @example list(@Caller() caller: Principal) { … }
 */
export const Caller = createParamDecorator((_: undefined, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!principal) throw new Error('@Caller() belongs on a route that needs credentials');
  return principal;
});
