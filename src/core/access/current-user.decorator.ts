import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

import './access.hook.js';
import { Caller } from './caller.js';
import { Permission } from './permissions.js';
import './principal.js';

const requestOf = (context: ExecutionContext): FastifyRequest =>
  context.switchToHttp().getRequest<FastifyRequest>();

/**
 * The `Principal` of a request: who its credentials prove; `null` on a route that is open to everybody and was called
 * without credentials.
 */
export const CurrentPrincipal: () => ParameterDecorator = createParamDecorator(
  (_: undefined, context: ExecutionContext) => requestOf(context).principal,
);

/**
 * The `Caller` of a request: its principal, and the rows that the route may read or write for it.
 *
 * @example
 * get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller): Promise<Order> {
 *   return this.orders.get(id, caller);
 * }
 */
export const CurrentUser: () => ParameterDecorator = createParamDecorator(
  (_: undefined, context: ExecutionContext): Caller => {
    const { principal, policy, grants, visibility } = requestOf(context);
    if (!principal) throw new Error('@CurrentUser() belongs on a route that is not public');
    return new Caller(principal, visibility, policy?.grants ?? [], grants);
  },
);

/**
 * The id of the user who calls, for `@ListQuery()`: narrows a list to the caller's own rows, whatever their role.
 *
 * @param unless callers with this permission see everybody's
 * @example list(@ListQuery(apiKeyList, { userId: ofSelf('manage_users') }) query: ListQuery) { … }
 */
export function ofSelf(unless?: Permission): (request: FastifyRequest) => number | undefined {
  return ({ principal }) => {
    const seesAll = unless !== undefined && principal?.permissions.has(unless);
    // No row belongs to 0.
    return seesAll ? undefined : (principal?.userId ?? 0);
  };
}
