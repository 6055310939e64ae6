import { Injectable } from '@nestjs/common';

import {
  ApiError,
  bodyError,
  Caller,
  Connection,
  Database,
  denied,
  Permission,
  Preconditions,
  Principal,
  ResourceReads,
  Role,
  ROLE_PERMISSIONS,
} from '../../core/index.js';
import { Fault, lockCaller } from '../../core/auth.js';
import { User } from '../../users/user.entity.js';
import { newSecret } from '../secrets.js';
import { CreateApiKeyDto, PatchApiKeyDto } from './api-key.dto.js';
import { ApiKey } from './api-key.entity.js';
import { API_KEY_LIMIT_REACHED } from '../auth.errors.js';
import { ApiKeysRepository } from './api-keys.repository.js';

const HINT_LENGTH = 6;
/** Keys per user. Each has a rate limit of its own, so their number must be limited. */
const MAX_KEYS = 100;

/** An API key as its creation shows it, once: `key` is stored nowhere. */
export interface CreatedApiKey extends ApiKey {
  readonly key: string;
}

/** The API keys of the caller, and with `manage_users` those of everybody. */
@Injectable()
export class ApiKeysService extends ResourceReads<ApiKey> {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly database: Database,
  ) {
    super(keys);
  }

  override get(id: number, caller: Caller): Promise<ApiKey> {
    return this.keys.get(keyFor(id, caller), caller.visibility);
  }

  async create(body: CreateApiKeyDto, { principal, userId }: Caller, tx: Connection): Promise<CreatedApiKey> {
    await assertMayCreate(principal, tx, body);
    if ((await tx.manager.countBy(ApiKey, { userId })) >= MAX_KEYS) throw new ApiError(API_KEY_LIMIT_REACHED);
    const { value: key, digest } = newSecret();
    const values = { ...body, userId, hint: key.slice(0, HINT_LENGTH), digest: Buffer.from(digest, 'hex') };
    return { ...(await this.keys.insert(values, tx)), key };
  }

  async patch(
    id: number,
    body: PatchApiKeyDto,
    caller: Caller,
    preconditions: Preconditions,
  ): Promise<ApiKey> {
    const { permissions } = body;
    return this.changing(id, caller, async (tx, { userId }, current) => {
      const owner = permissions && (await tx.manager.findOneBy(User, { id: userId }));
      if (owner) assertGrantable(permissions, owner.role, current);
      return this.keys.update(id, { ...body }, caller.visibility, preconditions, tx);
    });
  }

  /** Revokes a key: every instance refuses it from the next request on. */
  async remove(id: number, caller: Caller, preconditions: Preconditions): Promise<void> {
    await this.changing(id, caller, (tx) => this.keys.remove(id, caller.visibility, preconditions, tx));
  }

  /** Runs a write of a key, by its owner or by a caller who may manage users now. */
  private async changing<T>(
    id: number,
    caller: Caller,
    work: (tx: Connection, row: ApiKey, current: Principal) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(async (tx) => {
      const current = await lockCaller(caller.principal, tx);
      const row = await this.keys.lock(keyFor(id, caller), caller.visibility, tx);
      if (row.userId !== caller.userId && !current.permissions.has('manage_users'))
        throw denied(current, 'manage_users');
      return work(tx, row, current);
    });
  }
}

/** One of the caller's own keys; of anybody's, for who manages users. */
const keyFor = (id: number, { principal, userId }: Caller): Pick<ApiKey, 'id'> & Partial<ApiKey> =>
  principal.permissions.has('manage_users') ? { id } : { id, userId };

/** Asserts that the caller may create such a key. Creations of one user take turns, so that keys can be counted. */
export async function assertMayCreate(caller: Principal, tx: Connection, body: object): Promise<void> {
  const current = await lockCaller(caller, tx, 'exclusive');
  // As it was sent, when the request is repeated.
  const { permissions = ['read'] } = body as Partial<CreateApiKeyDto>;
  if (Array.isArray(permissions)) assertGrantable(permissions, current.role, current);
}

/** Asserts that a key gets no permission that its owner (422) or the caller (403) lacks. */
function assertGrantable(permissions: readonly Permission[], ownersRole: Role, caller: Principal): void {
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
