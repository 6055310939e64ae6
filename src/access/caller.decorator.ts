import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

import { RequestScope } from '#src/common/http/request-scope.js';

import { isStaff } from './decision.js';

/** Who calls: a `Principal`; `null` on a route that is open to everybody and was called without credentials. */
export const Caller: () => ParameterDecorator = createParamDecorator(
  (_: undefined, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().principal,
);

/**
 * Narrows lists and single rows to the caller's own, unless the caller is of the staff.
 *
 * @param property of the rows, that says whose they are
 * @example list(@ListParameters(orderList, ofCaller('userId')) query: ListQuery) { … }
 */
export function ofCaller(property: string): RequestScope {
  return {
    property,
    valueOf: ({ principal }) => (principal && isStaff(principal) ? undefined : (principal?.userId ?? NOBODY)),
  };
}

/** No row belongs to it. */
const NOBODY = 0;
