import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

import { RequestScope } from '../http/request-scope.js';
import './access.hook.js';
import { Access } from './access.js';
import { Permission } from './permissions.js';
import './principal.js';

/** Who calls: a `Principal`; `null` on a route that is open to everybody and was called without credentials. */
export const Caller: () => ParameterDecorator = createParamDecorator(
  (_: undefined, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().principal,
);

/** The permissions of the caller, for services that authorize by more than the route declares: an `Access`. */
export const CallerAccess: () => ParameterDecorator = createParamDecorator(
  (_: undefined, context: ExecutionContext) => {
    const { principal, policy, grants } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!principal) throw new Error('@CallerAccess() belongs on a route that is not public');
    return new Access(principal, policy?.grants ?? [], grants);
  },
);

/**
 * Narrows lists to the caller's own rows, whatever their role.
 *
 * @param property of the rows, that says whose they are
 * @param unless callers with this permission see everybody's
 * @example list(@ListQuery(ofSelf('userId', 'manage_users')) query: ListQuery) { … }
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

/** No row belongs to it. */
const NOBODY = 0;
