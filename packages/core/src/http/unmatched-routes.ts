import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { ApiError } from './errors/api-error.js';
import { HttpErrors } from './errors/http.errors.js';
import { truncateText } from './errors/truncate-text.js';

/** The value of `Accept-Patch` (RFC 5789 §3.1). Plain JSON is read as a JSON merge patch. */
const PATCH_TYPES = 'application/merge-patch+json, application/json';

/**
 * Responds to requests that match no route: 404 for an unknown path, 405 with `Allow` for a method that the path does
 * not have (RFC 9110 §15.5.6), 204 with `Allow` for OPTIONS. Call this function before the routes are registered.
 */
export function registerUnmatchedRoutes(server: FastifyInstance): void {
  const routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  server.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { pattern: routePattern(url), methods: new Set(['OPTIONS']) };
    for (const each of [method].flat()) route.methods.add(each);
    routes.set(url, route);
  });
  const findMethods = (path: string): string[] | undefined => {
    const route = routes.get(path) ?? [...routes.values()].find(({ pattern }) => pattern.test(path));
    return route && [...route.methods].sort();
  };

  const respond = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split('?', 1)[0] as string;
    const methods = findMethods(decodeURI(path));
    const isOptions = request.method === 'OPTIONS';
    // If the path has a route with this method, the route has called `callNotFound()`, such as for a missing file.
    if (!methods || (!isOptions && methods.includes(request.method)))
      throw new ApiError(HttpErrors.ROUTE_NOT_FOUND, `The path ${truncateText(path, 100)} does not exist.`);
    const allow = methods.join(', ');
    void reply.header('allow', allow);
    if (isOptions && methods.includes('PATCH')) void reply.header('accept-patch', PATCH_TYPES);
    if (isOptions) return reply.code(204).send();
    throw new ApiError(
      HttpErrors.METHOD_NOT_ALLOWED,
      `The method must be one of ${allow} (got ${request.method}).`,
    );
  };
  // Respond in a hook, because hooks run before the body is read.
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.policy) respond(request, reply);
    else done();
  });
  // For routes that call `callNotFound()`.
  server.setNotFoundHandler(respond);
}

/** Returns a pattern for the paths of a route. `:name` matches one segment, and `*` the rest of the path. */
function routePattern(url: string): RegExp {
  const escaped = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`);
}
