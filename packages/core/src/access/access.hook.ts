import { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

import { MANAGE_USERS } from '../config/define-access.js';
import { Config } from '../config/config.js';
import { RoutePolicy } from '../routes/route-policy.js';
import { permissionDenied } from './access.errors.js';
import { Grants, isGrantable, PERMISSION_BY_METHOD } from './grants.js';
import { Principal } from './principal.js';
import { EVERYTHING, AccessScope } from './access-scope.js';
import { resolveAccessScope, resolvePublicScope } from './resolve-scope.js';
import { hasRowLimits } from './row-limits.js';

/** A route with an action that clients can also request as an operation of a batch. */
export interface SingleRoute {
  readonly method: string;
  /** The end of the path, after the path of the collection: `''` or `'/:id'`. */
  readonly path: string;
}

/**
 * Adds the hook that authorizes each request before its body is read. From the role or API key of the caller, the path
 * and the grants, the hook computes `context.scope`. Repositories then apply this scope to each row.
 */
export function registerAccess(
  server: FastifyInstance,
  grantsOf: (principal: Principal) => Promise<Grants>,
  { registration }: Pick<Config, 'registration'>,
): void {
  server.addHook('onRoute', setDefaultAccess);
  if (registration === 'closed') server.addHook('onRoute', restrictRegistration);
  server.addHook('onRequest', async (request) => {
    const { policy, context } = request;
    if (!policy) return;
    // Read the grants on public routes too, because grants decide which rows the response may show to the caller.
    // In an application with `rows`, grants also decide to which rows of other resources the caller may refer.
    if ((policy.grants || hasRowLimits()) && context.principal)
      context.grants = await grantsOf(context.principal);
    if (!policy.access) throw new Error(`the route ${policy.route ?? ''} does not declare who may call it`);
    context.scope =
      policy.batch && !policy.access.isPublic
        ? assertAnyAccess(request, [...policy.batch.values()])
        : findRequestScope(request, policy);
  });
}

/**
 * Returns the rows on which the caller may perform the action of a route.
 * @throws ApiError `PERMISSION_DENIED` if there is no row on which the caller may perform the action
 */
export function findRequestScope(
  request: FastifyRequest,
  { access: rule, grants: links = [], route = '', resource }: RoutePolicy,
  method = request.method,
  params = request.params as Readonly<Record<string, string>>,
): AccessScope {
  const { principal, grants } = request.context;
  if (!rule || rule.isPublic) return resolvePublicScope(resource, principal);
  if (!principal) throw new Error('the caller must be authenticated before the access check');
  const { permission: needed } = rule;
  const permission = isGrantable(needed) ? needed : (PERMISSION_BY_METHOD[method] ?? 'read');
  // The GET route of the same path decides which rows the caller may know about. If the path has no GET route, the GET
  // route of its parent path decides: for `tickets/:id/close`, this is `GET tickets/:id`.
  const reads = (): RoutePolicy['access'] =>
    [route, route.slice(0, route.lastIndexOf('/'))].flatMap(
      (path) => request.server.policies.get(`GET ${path}`)?.access ?? [],
    )[0];
  const scope = resolveAccessScope({
    principal,
    rule,
    permission,
    grantSources: links,
    params,
    grants,
    findReadRule: reads,
    resource,
  });
  if (scope.anyOf?.length === 0) throw permissionDenied(principal, rule.permission, rule.staff);
  return scope;
}

/** Returns the policy of the single route that performs the same action as an operation of a batch. */
export function findSingleRoutePolicy(
  { server, policy }: FastifyRequest,
  { method, path }: SingleRoute,
): RoutePolicy {
  const { route = '' } = policy ?? {};
  return server.policies.get(`${method} ${route.slice(0, route.lastIndexOf('/'))}${path}`) ?? {};
}

/**
 * Asserts that the caller may call at least one of the routes that a batch combines.
 * @returns a scope without rows, because each operation of the batch gets a scope of its own
 */
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
    policy.access = { isPublic: false, permission: MANAGE_USERS };
}

/** Requires the permission of the HTTP method on a route that does not declare who may call it. */
export function setDefaultAccess({ method, url, config }: RouteOptions): void {
  const policy = config?.policy;
  if (!policy || policy.access) return;
  const permissions = new Set([method].flat().map((verb) => PERMISSION_BY_METHOD[verb] ?? 'read'));
  const [permission = 'read', another] = permissions;
  if (another)
    throw new Error(
      `the methods of ${url} need different permissions: declare who may call it with @RequirePermission() or @Public()`,
    );
  policy.access = { isPublic: false, permission };
}
