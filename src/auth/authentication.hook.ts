import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { AUTHENTICATION_REQUIRED } from '#src/access/access.errors.js';
import { ApiError } from '#src/common/errors/api-error.js';

import { Authentication } from './authentication.js';

/**
 * Authenticates each request before its body is read, on every route that is not open to everybody; on one that is
 * open but wants to know who calls, where there are credentials.
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
    if (!access || (access.isOpen && !access.isIdentifying)) {
      done();
      return;
    }
    const refuse = (error: unknown): void => {
      const isOptional = access.isOpen && error instanceof ApiError && error.type === AUTHENTICATION_REQUIRED;
      done(isOptional ? undefined : refused(request, reply, error as Error));
    };
    try {
      const principal = authentication.principalOf(request, !access.isOpen && access.isOpenToAnonymousRole);
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
