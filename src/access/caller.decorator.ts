import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

import { ListScope } from '#src/common/lists/list-scope.js';

import { isStaff } from './decision.js';

/** Who calls: a `Principal`; `null` on a route that is open to everybody and was called without credentials. */
export const Caller: () => ParameterDecorator = createParamDecorator(
  (_: undefined, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().principal,
);

/**
 * Narrows a list to the caller's own rows, unless the caller is of the staff.
 *
 * @param property of the rows, that says whose they are
 * @example list(@ListParameters(orderList, ofCaller('userId')) query: ListQuery) { … }
 */
export function ofCaller(property: string): ListScope {
  return {
    property,
    valueOf: ({ principal }) => (principal && isStaff(principal) ? undefined : (principal?.userId ?? NOBODY)),
  };
}

/** No row belongs to it. */
const NOBODY = 0;
