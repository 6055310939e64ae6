import { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

import { denied, deniedByGrant, PERMISSION_OF } from './decision.js';
import './grant-links.js';
import { Grants, NO_GRANTS } from './grants.js';
import { Principal } from './principal.js';
import { AccessRule, permissionRule } from './require-permission.decorator.js';
import { assertRowsAreJudged } from './row-judging.js';
import { EVERYTHING, Visibility, visibilityOf } from './visibility.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The rows with which the caller may do what the request asks for. Frozen; set before the body is read. */
    visibility: Visibility;
    /** The grants that bear on the caller, on routes that declare what they are about. */
    grants: Grants;
  }
}

/** Knows the grants that bear on a caller. */
export interface CallersGrants {
  /** At once where they are in memory. */
  of(principal: Principal): Grants | Promise<Grants>;
}

/**
 * Decides what each caller may do, by role, path and grants, before the body is read and anything is looked up. Runs
 * after authentication, which has answered callers without credentials. What a path leaves open, the repository judges
 * by the request's visibility where it reads rows.
 *
 * @throws Error at start, for a route whose path leaves something open and that does not hand its visibility on
 */
export function registerAccess(server: FastifyInstance, callers: CallersGrants): void {
  server.decorateRequest('visibility');
  server.decorateRequest('grants');
  server.addHook('onRoute', (route) => {
    implyAccess(route);
    assertRowsAreJudged(route);
  });
  server.addHook('onRequest', (request, _reply, done) => {
    const { is404, policy, principal } = request;
    request.visibility = EVERYTHING;
    request.grants = NO_GRANTS;
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

function denialOf(request: FastifyRequest, rule: AccessRule, grants: Grants): Error | undefined {
  // Of a route that is open to everybody, grants still tell what its answers may show the caller.
  request.grants = grants;
  if (rule.isPublic) return undefined;
  const { principal, policy, method } = request;
  if (!principal) return new Error('nobody was authenticated');
  const permission = PERMISSION_OF[method] ?? 'read';
  const params = request.params as Readonly<Record<string, string>>;
  const links = policy?.grants ?? [];
  const visibility = visibilityOf({ principal, rule, permission, links, params, grants });
  if (visibility.isDenied) return deniedByGrant(permission);
  if (visibility.anyOf?.length === 0) return denied(principal, rule.permission, rule.isForStaff);
  request.visibility = visibility;
  return undefined;
}

/**
 * Gives a route that says nothing of who may call it the rule of its method: callers with credentials, who hold the
 * permission `read` for GET, `create` for POST, `update` for PUT and PATCH, `delete` for DELETE.
 *
 * @throws Error at start for a route of several methods that stand for different permissions
 */
export function implyAccess({ method, url, config }: RouteOptions): void {
  const policy = config?.policy;
  if (!policy || policy.access) return;
  const permissions = new Set([method].flat().map((verb) => PERMISSION_OF[verb] ?? 'read'));
  const [permission = 'read', another] = permissions;
  if (another)
    throw new Error(`${url} takes several methods: say by @RequirePermission() or @Public() who may call it`);
  policy.access = permissionRule(permission, {});
  policy.isAccessImplied = true;
}
