import { FastifyInstance, FastifyRequest } from 'fastify';

import { ApiError } from '#src/common/errors/api-error.js';

import { PERMISSION_DENIED } from './access.errors.js';

/**
 * Refuses what the caller's role does not allow, before the body is read. Runs after authentication, which has
 * answered callers without credentials.
 */
export function registerAccess(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _reply, done) => {
    done(denialOf(request));
  });
}

function denialOf({ is404, policy, principal }: FastifyRequest): Error | undefined {
  if (is404) return undefined;
  const access = policy?.access;
  if (!access) return new Error(`the route ${policy?.route ?? ''} declares no access`);
  if (access.isOpen || principal?.permissions.has(access.permission)) return undefined;
  const { permission } = access;
  return new ApiError(
    PERMISSION_DENIED,
    `The role ${principal?.role ?? ''} lacks the permission ${permission}.`,
  );
}
