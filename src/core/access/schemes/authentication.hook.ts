import { FastifyInstance } from 'fastify';

import { ApiError } from '../../http/errors/api-error.js';
import { Refuse } from '../../http/rate-limit/rate-limit.js';
import { AUTHENTICATION_REQUIRED } from '../access.errors.js';
import { Authentication } from './authentication.js';

/**
 * Authenticates requests before their bodies are read: on every route that is not public, and on public routes that
 * identify their caller where credentials are sent.
 *
 * @param refuse ends a request whose credentials are missing or bad
 */
export function registerAuthentication(
  server: FastifyInstance,
  authentication: Authentication,
  refuse: Refuse,
): void {
  server.decorateRequest('principal', null);
  server.decorateRequest('user');
  server.addHook('onRequest', (request, reply, done) => {
    const access = request.policy?.access;
    if (!access || (access.isPublic && !access.isIdentifying)) {
      done();
      return;
    }
    const refused = (error: unknown): void => {
      const isMissing = error instanceof ApiError && error.type === AUTHENTICATION_REQUIRED;
      if (access.isPublic && isMissing) done();
      else refuse(request, reply, error as Error, done);
    };
    authentication.authenticate(request, !access.isPublic && access.anonymous === true).then((principal) => {
      request.principal = principal;
      // Where guards and decorators of NestJS applications look for the caller.
      request.user = principal;
      done();
    }, refused);
  });
}
