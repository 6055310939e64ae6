import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import createRouter from 'find-my-way';

import { ApiError } from '#src/common/errors/api-error.js';
import { METHOD_NOT_ALLOWED, ROUTE_NOT_FOUND } from '#src/common/errors/http.errors.js';

/**
 * Answers paths and methods that no route takes: 404, 405 with `Allow` (RFC 9110 §15.5.6), and OPTIONS with
 * `Allow`. Call it before the routes are registered; it learns them as they come.
 */
export function registerUnmatched(server: FastifyInstance): void {
  const methods = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    const taken = methods.get(url) ?? new Set(['OPTIONS']);
    for (const each of [method].flat()) taken.add(each);
    methods.set(url, taken);
  });

  // A router of its own over the same paths, asked only when the server's found no route.
  const paths = createRouter({ maxParamLength: 8192 });
  server.addHook('onReady', () => {
    for (const [url, taken] of methods) {
      const allow = [...taken].sort().join(', ');
      paths.on('GET', url, () => allow, { allow });
    }
  });

  server.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0] as string;
    const allow = (paths.find('GET', path)?.store as { allow: string } | undefined)?.allow;
    if (allow === undefined) throw new ApiError(ROUTE_NOT_FOUND, `There is nothing at ${shown(path)}.`);
    void reply.header('allow', allow);
    if (request.method === 'OPTIONS') return reply.code(204).send();
    throw new ApiError(
      METHOD_NOT_ALLOWED,
      `${request.method} is not a method of this path; it takes ${allow}.`,
    );
  });
}

/** A path as a message shows it: what is not plain stays percent-encoded, and it is never long. */
const shown = (path: string): string => (path.length > 100 ? `${path.slice(0, 100)}…` : path);
