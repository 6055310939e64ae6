import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

import { RequestScope } from '../http/request-scope.js';
import { ScopedIds } from '../lists/list-query.js';
import { isStaff } from './decision.js';
import './grants-of-caller.decorator.js';
import { Permission } from './permissions.js';
import { Principal } from './principal.js';
import { readScopeOf } from './read-scope.js';

/** Who calls: a `Principal`; `null` on a route that is open to everybody and was called without credentials. */
export const Caller: () => ParameterDecorator = createParamDecorator(
  (_: undefined, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().principal,
);

/**
 * Narrows lists and single rows to the caller's own, and to what grants open to them, unless the caller is of the staff.
 *
 * @param property of the rows, that says whose they are
 * @example list(@ListParameters(orderList, ofCaller('userId')) query: ListQuery) { … }
 */
export function ofCaller(property: string): RequestScope {
  return {
    property,
    valueOf: (request) => {
      const { principal } = request;
      if (!principal) return NOBODY;
      if (isStaff(principal)) return undefined;
      const own = principal.userId ?? NOBODY;
      const granted = grantedRows(request, principal);
      if (granted.length === 0) return own;
      const except = request.readScope?.except ?? [];
      request.readScope = readScopeOf({ except, only: [{ property, ids: [own] }, ...granted] });
      return undefined;
    },
  };
}

/**
 * Narrows lists to the caller's own rows, whatever their role.
 *
 * @param property of the rows, that says whose they are
 * @param unless callers with this permission see everybody's
 * @example list(@ListParameters(apiKeyList, ofSelf('userId', 'manage_users')) query: ListQuery) { … }
 */
export function ofSelf(property: string, unless?: Permission): RequestScope {
  return {
    property,
    valueOf: ({ principal }) => {
      const seesAll = unless !== undefined && principal?.permissions.has(unless);
      return seesAll ? undefined : (principal?.userId ?? NOBODY);
    },
  };
}

/** The rows of others that grants open to the caller. */
function grantedRows({ grants, policy }: FastifyRequest, principal: Principal): ScopedIds[] {
  if (!grants) return [];
  return (policy?.grants ?? [])
    .map(({ type, property }) => ({ property, ids: [...grants.allowedIds(principal, type, 'read')] }))
    .filter(({ ids }) => ids.length > 0);
}

/** No row belongs to it. */
const NOBODY = 0;
