import { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

import { Config } from '../config/config.js';
import { RoutePolicy } from '../http/route-policy.js';
import { denied } from './access.errors.js';
import { Grants, isGranted, NO_GRANTS, PERMISSION_OF } from './grants.js';
import { Principal } from './principal.js';
import { EVERYTHING, Visibility, visibilityOf } from './visibility.js';

/** A route beside that of a batch, whose work the batch asks for. */
export interface CombinedRoute {
  readonly method: string;
  /** As an end of the path that they share: `''`, `'/:id'`. */
  readonly path: string;
}

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
  { registration }: Pick<Config, 'registration'>,
): void {
  server.decorateRequest('visibility');
  server.decorateRequest('grants');
  server.addHook('onRoute', implyAccess);
  if (registration === 'closed') server.addHook('onRoute', closeRegistration);
  server.addHook('onRequest', async (request) => {
    const { policy, principal } = request;
    request.visibility = EVERYTHING;
    // Of a route that is open to everybody, grants still tell what its answers may show the caller.
    request.grants = policy?.grants && principal ? await grantsOf(principal) : NO_GRANTS;
    if (!policy) return;
    if (!policy.access) throw new Error(`the route ${policy.route ?? ''} declares no access`);
    if (!policy.access.isPublic)
      request.visibility = policy.batch
        ? assertAnyAccess(request, [...policy.batch.values()])
        : visibilityOn(request, policy);
  });
}

/** The rows with which a caller may do what a route does. @throws ApiError `PERMISSION_DENIED` where there are none */
export function visibilityOn(
  request: FastifyRequest,
  { access: rule, grants: links = [], route = '' }: RoutePolicy,
  method = request.method,
  params = request.params as Readonly<Record<string, string>>,
): Visibility {
  const { principal, grants } = request;
  if (!rule || rule.isPublic) return EVERYTHING;
  if (!principal) throw new Error('nobody was authenticated');
  const { permission: needed } = rule;
  const permission = isGranted(needed) ? needed : (PERMISSION_OF[method] ?? 'read');
  // The GET of the same path, or of `tickets/:id` for `tickets/:id/close`, tells which rows the caller may know of.
  const reads = (): RoutePolicy['access'] =>
    [route, route.slice(0, route.lastIndexOf('/'))].flatMap(
      (path) => request.server.policies.get(`GET ${path}`)?.access ?? [],
    )[0];
  const visibility = visibilityOf({ principal, rule, permission, links, params, grants, reads });
  if (visibility.anyOf?.length === 0) throw denied(principal, rule.permission, rule.staff);
  return visibility;
}

export function combinedPolicy(
  { server, policy }: FastifyRequest,
  { method, path }: CombinedRoute,
): RoutePolicy {
  const { route = '' } = policy ?? {};
  return server.policies.get(`${method} ${route.slice(0, route.lastIndexOf('/'))}${path}`) ?? {};
}

/** Asserts that one of the routes is open that a route combines. No row is: each part of its work has its own. */
function assertAnyAccess(request: FastifyRequest, routes: readonly CombinedRoute[]): Visibility {
  let refusal: unknown;
  for (const route of routes)
    try {
      const { principal } = visibilityOn(request, combinedPolicy(request, route), route.method);
      return { ...EVERYTHING, principal, anyOf: [], readable: [] };
    } catch (error) {
      refusal ??= error;
    }
  throw refusal;
}

function closeRegistration({ config }: RouteOptions): void {
  const { policy } = config ?? {};
  if (policy?.access?.isPublic && policy.access.isRegistration)
    policy.access = { isPublic: false, permission: 'manage_users' };
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
