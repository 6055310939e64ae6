import { FastifyInstance, FastifyRequest } from 'fastify';

import { ApiError } from '#src/common/errors/api-error.js';

import { PERMISSION_DENIED } from './access.errors.js';
import { Permission } from './permissions.js';
import { Principal } from './principal.js';

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
  if (access.isForOwners && principal?.kind === 'user') return undefined;
  return principal ? permissionDenied(principal, access.permission) : new Error('nobody was authenticated');
}

/** The 403 of a caller whose role or key lacks a permission. */
export function permissionDenied({ kind, role }: Principal, permission: Permission): ApiError {
  const who = kind === 'api-key' ? `The API key of a caller of role ${role}` : `The role ${role}`;
  return new ApiError(PERMISSION_DENIED, `${who} lacks the permission ${permission}.`);
}
