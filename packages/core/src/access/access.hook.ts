import { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

import { Config } from '../config/config.js';
import { RoutePolicy } from '../http/route-policy.js';
import { permissionDenied } from './access.errors.js';
import { Grants, isGrantable, NO_GRANTS, PERMISSION_BY_METHOD } from './grants.js';
import { Principal } from './principal.js';
import { EVERYTHING, AccessScope, resolveAccessScope } from './access-scope.js';

/** A route beside that of a batch, whose work the batch asks for. */
export interface SingleRoute {
  readonly method: string;
  /** As an end of the path that they share: `''`, `'/:id'`. */
  readonly path: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The rows with which the caller may do what the request asks for. Frozen; set before the body is read. */
    scope: AccessScope;
    /** The grants that bear on the caller, on routes that declare what they are about. */
    grants: Grants;
  }
}

/** Decides by role, path and grants what a caller may do, before the body is read; repositories judge the rest. */
export function registerAccess(
  server: FastifyInstance,
  grantsOf: (principal: Principal) => Promise<Grants>,
  { registration }: Pick<Config, 'registration'>,
): void {
  server.decorateRequest('scope');
  server.decorateRequest('grants');
  server.addHook('onRoute', setDefaultAccess);
  if (registration === 'closed') server.addHook('onRoute', restrictRegistration);
  server.addHook('onRequest', async (request) => {
    const { policy, principal } = request;
    request.scope = EVERYTHING;
    // Of a route that is open to everybody, grants still tell what its answers may show the caller.
    request.grants = policy?.grants && principal ? await grantsOf(principal) : NO_GRANTS;
    if (!policy) return;
    if (!policy.access) throw new Error(`the route ${policy.route ?? ''} declares no access`);
    if (!policy.access.isPublic)
      request.scope = policy.batch
        ? assertAnyAccess(request, [...policy.batch.values()])
        : findRequestScope(request, policy);
  });
}

/** The rows with which a caller may do what a route does. @throws ApiError `PERMISSION_DENIED` where there are none */
export function findRequestScope(
  request: FastifyRequest,
  { access: rule, grants: links = [], route = '' }: RoutePolicy,
  method = request.method,
  params = request.params as Readonly<Record<string, string>>,
): AccessScope {
  const { principal, grants } = request;
  if (!rule || rule.isPublic) return EVERYTHING;
  if (!principal) throw new Error('nobody was authenticated');
  const { permission: needed } = rule;
  const permission = isGrantable(needed) ? needed : (PERMISSION_BY_METHOD[method] ?? 'read');
  // The GET of the same path, or of `tickets/:id` for `tickets/:id/close`, tells which rows the caller may know of.
  const reads = (): RoutePolicy['access'] =>
    [route, route.slice(0, route.lastIndexOf('/'))].flatMap(
      (path) => request.server.policies.get(`GET ${path}`)?.access ?? [],
    )[0];
  const visibility = resolveAccessScope({
    principal,
    rule,
    permission,
    grantSources: links,
    params,
    grants,
    findReadRule: reads,
  });
  if (visibility.anyOf?.length === 0) throw permissionDenied(principal, rule.permission, rule.staff);
  return visibility;
}

export function findSingleRoutePolicy(
  { server, policy }: FastifyRequest,
  { method, path }: SingleRoute,
): RoutePolicy {
  const { route = '' } = policy ?? {};
  return server.policies.get(`${method} ${route.slice(0, route.lastIndexOf('/'))}${path}`) ?? {};
}

/** Asserts that one of the routes is open that a route combines. No row is: each part of its work has its own. */
function assertAnyAccess(request: FastifyRequest, routes: readonly SingleRoute[]): AccessScope {
  let refusal: unknown;
  for (const route of routes)
    try {
      const { principal } = findRequestScope(request, findSingleRoutePolicy(request, route), route.method);
      return { ...EVERYTHING, principal, anyOf: [], readable: [] };
    } catch (error) {
      refusal ??= error;
    }
  throw refusal;
}

function restrictRegistration({ config }: RouteOptions): void {
  const { policy } = config ?? {};
  if (policy?.access?.isPublic && policy.access.isRegistration)
    policy.access = { isPublic: false, permission: 'manage_users' };
}

/** Gives a route that says nothing of who may call it the rule of its method: callers with its permission. */
export function setDefaultAccess({ method, url, config }: RouteOptions): void {
  const policy = config?.policy;
  if (!policy || policy.access) return;
  const permissions = new Set([method].flat().map((verb) => PERMISSION_BY_METHOD[verb] ?? 'read'));
  const [permission = 'read', another] = permissions;
  if (another)
    throw new Error(`${url} takes several methods: say by @RequirePermission() or @Public() who may call it`);
  policy.access = { isPublic: false, permission };
}
