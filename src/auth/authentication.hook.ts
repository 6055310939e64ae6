import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { Authentication } from './authentication.js';

/**
 * Authenticates each request before its body is read, on every route that is not open to everybody.
 *
 * @param refused gives the error that a refused request is answered with: it has its price too
 */
export function registerAuthentication(
  server: FastifyInstance,
  authentication: Authentication,
  refused: (request: FastifyRequest, reply: FastifyReply, error: Error) => Error,
): void {
  server.decorateRequest('principal', null);
  server.addHook('onRequest', (request, reply, done) => {
    const access = request.policy?.access;
    if (!access || access.isOpen) {
      done();
      return;
    }
    const refuse = (error: unknown): void => {
      done(refused(request, reply, error as Error));
    };
    try {
      const principal = authentication.principalOf(request, access.isOpenToAnonymousRole);
      if (principal instanceof Promise) {
        principal.then((proved) => {
          request.principal = proved;
          done();
        }, refuse);
      } else {
        request.principal = principal;
        done();
      }
    } catch (error) {
      refuse(error);
    }
  });
}
