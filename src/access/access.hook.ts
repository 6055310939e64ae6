import { FastifyInstance, FastifyRequest } from 'fastify';

import { denied, deniedByGrant, mayCall, PERMISSION_OF } from './decision.js';
import { decide } from './granted.js';
import './grants-of-caller.decorator.js';
import { Grants, NO_GRANTS } from './grants.js';
import { AccessRule } from './require-permission.decorator.js';
import { Principal } from './principal.js';
import { readScopeOf } from './read-scope.js';

/** Knows the grants that bear on a caller. */
export interface CallersGrants {
  /** At once where they are in memory. */
  of(principal: Principal): Grants | Promise<Grants>;
}

/**
 * Refuses what the caller's role and the path, and the grants on top of them, do not allow, before the body is read
 * and anything is looked up. Runs after authentication, which has answered callers without credentials.
 */
export function registerAccess(server: FastifyInstance, callers: CallersGrants): void {
  server.decorateRequest('readScope', undefined);
  server.decorateRequest('grants', undefined);
  server.addHook('onRequest', (request, _reply, done) => {
    const { is404, policy, principal } = request;
    if (is404) {
      done();
      return;
    }
    const access = policy?.access;
    if (!access) {
      done(new Error(`the route ${policy?.route ?? ''} declares no access`));
      return;
    }
    const grants = policy.grants && principal ? callers.of(principal) : NO_GRANTS;
    if (grants instanceof Promise) {
      grants.then((found) => {
        done(denialOf(request, access, found));
      }, done);
    } else done(denialOf(request, access, grants));
  });
}

function denialOf(request: FastifyRequest, access: AccessRule, grants: Grants): Error | undefined {
  if (access.isPublic) return undefined;
  const { principal, policy, method } = request;
  if (!principal) return new Error('nobody was authenticated');
  const isAllowedByRole = mayCall(access, principal, request);
  const refusal = (): Error => denied(principal, access.permission, access.isForStaff);
  if (grants.isEmpty) return isAllowedByRole ? undefined : refusal();
  const permission = PERMISSION_OF[method] ?? 'read';
  const params = request.params as Readonly<Record<string, string>>;
  const links = policy?.grants ?? [];
  const decision = decide(grants, { principal, permission, links, params, isAllowedByRole });
  if (!decision.isAllowed) {
    return isAllowedByRole ? deniedByGrant(permission) : refusal();
  }
  request.grants = grants;
  if (decision.scope) request.readScope = readScopeOf(decision.scope);
  return undefined;
}
