import { FastifyInstance, FastifyRequest } from 'fastify';

import { denied, mayCall } from './decision.js';

/**
 * Refuses what the caller's role and the path do not allow, before the body is read. Runs after authentication,
 * which has answered callers without credentials.
 */
export function registerAccess(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    done(denialOf(request));
  });
}

function denialOf(request: FastifyRequest): Error | undefined {
  const { is404, policy, principal } = request;
  if (is404) return undefined;
  const access = policy?.access;
  if (!access) return new Error(`the route ${policy?.route ?? ''} declares no access`);
  return access.isOpen || mayCall(access, principal, request)
    ? undefined
    : denied(principal, access.permission);
}
