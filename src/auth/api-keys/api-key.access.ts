import {
  bodyError,
  Connection,
  denied,
  Permission,
  Principal,
  Role,
  ROLE_PERMISSIONS,
} from '../../core/index.js';
import { Fault, lockCaller } from '../../core/auth.js';
import { CreateApiKeyDto } from './api-key.dto.js';

/**
 * Asserts that the caller may create a key with these permissions, until the end of the transaction. Creations of one
 * user wait for each other, so that the keys can be counted.
 *
 * @throws ApiError `UNPROCESSABLE_ENTITY` for permissions that the owner lacks, `PERMISSION_DENIED` for those that only
 *   the calling key lacks, 401 where the owner has been deleted
 */
export async function assertMayCreate(caller: Principal, tx: Connection, body: object): Promise<void> {
  const current = await lockCaller(caller, tx, 'exclusive');
  // As it was sent, when the request is repeated.
  const { permissions = ['read'] } = body as Partial<CreateApiKeyDto>;
  if (Array.isArray(permissions)) assertGrantable(permissions, current.role, current);
}

/**
 * Asserts that a key gets no permission that its owner or the caller lacks.
 *
 * @throws ApiError `UNPROCESSABLE_ENTITY` for what the owner lacks, `PERMISSION_DENIED` for what the caller lacks
 */
export function assertGrantable(
  permissions: readonly Permission[],
  ownersRole: Role,
  caller: Principal,
): void {
  const beyond = permissions.flatMap((permission, i) =>
    ROLE_PERMISSIONS[ownersRole].has(permission) ? [] : beyondOwner(ownersRole, permission, i),
  );
  if (beyond.length > 0) throw bodyError(beyond);
  const missing = permissions.find((permission) => !caller.permissions.has(permission));
  if (missing) throw denied(caller, missing);
}

const beyondOwner = (role: Role, permission: Permission, index: number): Fault => ({
  field: `permissions.${index}`,
  code: 'NOT_ALLOWED',
  message: `is ${permission}, which the role ${role} of the key's owner does not include`,
});
