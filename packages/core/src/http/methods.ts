import { IncomingMessage } from 'node:http';

import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { ApiError } from './errors/api-error.js';
import { HttpErrors } from './errors/http.errors.js';
import { truncateText } from './errors/truncate-text.js';

/** The types of a body for PATCH (RFC 5789 §3.1): a JSON merge patch, and JSON that is taken for one. */
const PATCH_TYPES = 'application/merge-patch+json, application/json';

/** Answers what no route takes: 404, 405 and OPTIONS with `Allow` (RFC 9110 §15.5.6). To be called before the routes. */
export function registerUnmatchedRoutes(server: FastifyInstance): void {
  const routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  server.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { pattern: routePattern(url), methods: new Set(['OPTIONS']) };
    for (const each of [method].flat()) route.methods.add(each);
    routes.set(url, route);
  });
  const methodsOf = (path: string): string[] | undefined => {
    const route = routes.get(path) ?? [...routes.values()].find(({ pattern }) => pattern.test(path));
    return route && [...route.methods].sort();
  };

  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split('?', 1)[0] as string;
    const taken = methodsOf(decodeURI(path));
    const isOptions = request.method === 'OPTIONS';
    // A route that takes the method and yet found nothing has looked for itself: for a file, say.
    if (!taken || (!isOptions && taken.includes(request.method)))
      throw new ApiError(HttpErrors.ROUTE_NOT_FOUND, `There is nothing at ${truncateText(path, 100)}.`);
    const allow = taken.join(', ');
    void reply.header('allow', allow);
    if (isOptions && taken.includes('PATCH')) void reply.header('accept-patch', PATCH_TYPES);
    if (isOptions) return reply.code(204).send();
    throw new ApiError(
      HttpErrors.METHOD_NOT_ALLOWED,
      `${request.method} is not a method of this path; it takes ${allow}.`,
    );
  };
  // In a hook, before a body is read that nobody takes.
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.policy) answer(request, reply);
    else done();
  });
  // For routes that find nothing themselves.
  server.setNotFoundHandler(answer);
}

/** The paths of a route: `:name` is one segment that is not empty, `*` any rest. */
function routePattern(url: string): RegExp {
  const escaped = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`);
}

/** Whether a method, in capitals, is read-only (RFC 9110 §9.2.1). */
export const isSafeMethod = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method);

/** Whether Fastify reads the body of a method: of all but these, OPTIONS, QUERY and what NestJS adds too. */
const canHaveBody = (method = 'GET'): boolean => !['GET', 'HEAD', 'TRACE'].includes(method);

export function hasRequestBody({ method, headers }: IncomingMessage): boolean {
  const { 'transfer-encoding': coding, 'content-length': length = '0' } = headers;
  return canHaveBody(method) && (coding !== undefined || length !== '0');
}

export const readsBody = ({ method }: { readonly method: string | readonly string[] }): boolean =>
  [method].flat().some(canHaveBody);
