import { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

import { isUnmatched } from '../http/route-policy.js';
import { denied } from './access.errors.js';
import './grant-links.js';
import { Grants, NO_GRANTS, PERMISSION_OF } from './grants.js';
import { Principal } from './principal.js';
import { PermissionRule } from './require-permission.decorator.js';
import { EVERYTHING, Visibility, visibilityOf } from './visibility.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The rows with which the caller may do what the request asks for. Frozen; set before the body is read. */
    visibility: Visibility;
    /** The grants that bear on the caller, on routes that declare what they are about. */
    grants: Grants;
  }
}

/** Decides by role, path and grants what a caller may do, before the body is read; repositories judge the rest. */
export function registerAccess(
  server: FastifyInstance,
  grantsOf: (principal: Principal) => Promise<Grants>,
): void {
  server.decorateRequest('visibility');
  server.decorateRequest('grants');
  server.addHook('onRoute', implyAccess);
  server.addHook('onRequest', async (request) => {
    const { policy, principal } = request;
    request.visibility = EVERYTHING;
    // Of a route that is open to everybody, grants still tell what its answers may show the caller.
    request.grants = policy?.grants && principal ? await grantsOf(principal) : NO_GRANTS;
    if (isUnmatched(request)) return;
    if (!policy?.access) throw new Error(`the route ${policy?.route ?? ''} declares no access`);
    if (!policy.access.isPublic) assertAccess(request, policy.access);
  });
}

function assertAccess(request: FastifyRequest, rule: PermissionRule): void {
  const { principal, policy, method, grants } = request;
  if (!principal) throw new Error('nobody was authenticated');
  const permission = PERMISSION_OF[method] ?? 'read';
  const params = request.params as Readonly<Record<string, string>>;
  const links = policy?.grants ?? [];
  const visibility = visibilityOf({ principal, rule, permission, links, params, grants });
  if (visibility.anyOf?.length === 0) throw denied(principal, rule.permission, rule.staff);
  request.visibility = visibility;
}

/** Gives a route that says nothing of who may call it the rule of its method: callers with its permission. */
export function implyAccess({ method, url, config }: RouteOptions): void {
  const policy = config?.policy;
  if (!policy || policy.access) return;
  const permissions = new Set([method].flat().map((verb) => PERMISSION_OF[verb] ?? 'read'));
  const [permission = 'read', another] = permissions;
  if (another)
    throw new Error(`${url} takes several methods: say by @RequirePermission() or @Public() who may call it`);
  policy.access = { isPublic: false, permission };
}
