import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { Authentication } from './authentication.js';

/**
 * Authenticates each request before its body is read, on every route that is not open to everybody.
 *
 * @param charge counts a refused request, which has its price too, and gives the error where it is one too many
 */
export function registerAuthentication(
  server: FastifyInstance,
  authentication: Authentication,
  charge: (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void,
): void {
  server.decorateRequest('principal', null);
  server.addHook('onRequest', (request, reply, done) => {
    const access = request.policy?.access;
    if (!access || access.isOpen) {
      done();
      return;
    }
    const refuse = (error: unknown): void => {
      charge(request, reply, (exceeded) => {
        done(exceeded ?? (error as Error));
      });
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
