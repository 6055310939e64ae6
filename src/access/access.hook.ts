import { FastifyInstance, FastifyRequest } from 'fastify';

import { ApiError } from '#src/common/errors/api-error.js';
import { isInScope } from '#src/common/lists/list-query.js';

import { PERMISSION_DENIED } from './access.errors.js';
import { decide } from './grants/granted.js';
import './grants/grants-of-caller.decorator.js';
import { GrantedPermission, Grants, NO_GRANTS } from './grants/grants.js';
import { HeldGrants } from './grants/held-grants.js';
import { AccessRule } from './needs.decorator.js';
import { Permission } from './permissions.js';
import { Principal } from './principal.js';

/**
 * Refuses what the caller's role, and the grants on top of it, do not allow, before the body is read and anything is
 * looked up. Runs after authentication, which has answered callers without credentials.
 */
export function registerAccess(server: FastifyInstance, held: Pick<HeldGrants, 'of'>): void {
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
    const grants = policy.granted && principal ? held.of(principal) : NO_GRANTS;
    if (grants instanceof Promise) {
      grants.then((found) => {
        done(denialOf(request, access, found));
      }, done);
    } else done(denialOf(request, access, grants));
  });
}

function denialOf(request: FastifyRequest, access: AccessRule, grants: Grants): Error | undefined {
  if (access.isOpen) return undefined;
  const { principal, policy, method } = request;
  if (!principal) return new Error('nobody was authenticated');
  const isAllowedByRole =
    principal.permissions.has(access.permission) || (access.isForOwners && principal.kind === 'user');
  if (grants.isEmpty) return isAllowedByRole ? undefined : permissionDenied(principal, access.permission);
  const permission = BY_METHOD[method] ?? 'read';
  const params = request.params as Readonly<Record<string, string>>;
  const links = policy?.granted ?? [];
  const decision = decide(grants, { principal, permission, links, params, isAllowedByRole });
  if (!decision.isAllowed) {
    return isAllowedByRole ? deniedByGrant(permission) : permissionDenied(principal, access.permission);
  }
  request.grants = grants;
  const { scope } = decision;
  if (scope) {
    const mustShow = (row: object): void => {
      if (!isInScope(scope, row)) throw deniedByGrant('read');
    };
    request.readScope = { ...scope, mustShow };
  }
  return undefined;
}

/** What a grant must give for a method. */
const BY_METHOD: Readonly<Record<string, GrantedPermission>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
};

/** The 403 of a caller whose role or key lacks a permission. */
export function permissionDenied({ kind, role }: Principal, permission: Permission): ApiError {
  const who = kind === 'api-key' ? `The API key of a caller of role ${role}` : `The role ${role}`;
  return new ApiError(PERMISSION_DENIED, `${who} lacks the permission ${permission}.`);
}

const deniedByGrant = (permission: Permission): ApiError =>
  new ApiError(PERMISSION_DENIED, `The permission ${permission} is denied for this resource.`);
