import { FastifyInstance } from 'fastify';

import type { ApiVersions } from '../http/negotiation/api-versions.js';
import { RoutePolicy } from './route-policy.js';

/**
 * Collects the policies of all routes in `server.policies`, and sets `request.policy` when a request arrives. For a
 * request without a matching route, `request.policy` is `undefined`. Call this before routes are registered.
 * @throws Error later, when a route is registered whose key names a path parameter that is missing in the path
 */
export function registerPolicies(server: FastifyInstance, versions: ApiVersions): void {
  const policies = new Map<string, RoutePolicy>();
  const paths = new Set<string>();
  server.decorate('policies', policies);
  server.addHook('onRoute', (route) => {
    const apiVersion = Number(/^\/api\/v(\d+)\//.exec(route.url)?.[1]);
    const { inVersion, ...declared } = route.config?.policy ?? {};
    const policy: RoutePolicy = {
      ...declared,
      ...inVersion?.(apiVersion, versions[apiVersion] ?? {}),
      route: route.url,
      ...(apiVersion && { apiVersion }),
    };
    route.config = { ...route.config, policy };
    for (const name of policy.keyParameters ?? [])
      if (!route.url.split('/').includes(`:${name}`))
        throw new Error(
          `${route.url}: the key of the route names the path parameter '${name}', which is missing`,
        );
    // The schema applies to all 2xx statuses, because a handler may set another status than the declared one.
    const [schema] = policy.hasInterceptors ? [] : Object.values(policy.response ?? {});
    if (schema) route.schema = { ...route.schema, response: { '2xx': schema } };
    for (const method of [route.method].flat()) policies.set(`${method} ${route.url}`, policy);
    paths.add(route.url);
  });
  server.decorateRequest('policy', undefined);
  server.addHook('onRequest', (request, _reply, done) => {
    const { url, config } = request.routeOptions;
    // If the path has a route, but not for this method, the router may match another route with a parameter, such as
    // `:id`. The policy of that route must not apply, and the response is 405.
    const path = request.url.split('?', 1)[0] as string;
    const isOfOtherPath = url !== path && paths.has(path);
    // @fastify/cors registers a route for OPTIONS of any path, but only to make hooks run for preflight requests.
    const isCorsRoute = request.method === 'OPTIONS' && url === '*';
    if (!request.is404 && !isOfOtherPath && !isCorsRoute) request.policy = config.policy;
    done();
  });
}
