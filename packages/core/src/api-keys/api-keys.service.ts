import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { permissionDenied } from '../access/access.errors.js';
import { Caller } from '../access/caller.js';
import { MANAGE_USERS, Permission, Role, permissionsOf } from '../config/define-access.js';
import { Principal } from '../access/principal.js';
import { EVERYTHING } from '../access/access-scope.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { assertKeyPermission, lockCaller } from '../accounts/current-role.js';
import { digestSecret, newSecret } from '../accounts/secret.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { Database } from '../database/database.js';
import { bodyError } from '../fields/faults.js';
import { WritePreconditions } from '../http/caching/preconditions.js';
import { ApiError, ErrorDetail } from '../http/errors/api-error.js';
import { ResourceReads } from '../resources/resource.service.js';
import { ApiKey } from './api-key.entity.js';
import { API_KEY_LIMIT_REACHED } from './api-key.errors.js';
import { ApiKeysRepository } from './api-keys.repository.js';

/** The maximum number of keys of a user. */
const MAX_KEYS = 100;
const USE_INTERVAL_MS = 60_000;
/**
 * The number of keys whose last use this instance remembers. For other keys, it runs the statement that records the
 * use. The statement then decides by `last_used_at` whether to write.
 */
const MAX_RECENT_USES = 50_000;

/** A new API key together with its secret. `ApiKeysService.create()` returns it. */
export interface CreatedApiKey extends ApiKey {
  /** The secret. It is not stored, so the response that creates the key is the only one that contains it. */
  readonly key: string;
}

/**
 * Manages and verifies API keys. A caller manages their own keys. With `manage_users`, a caller manages the keys of all
 * users.
 * @example validate(secret: string): Promise<Principal | null> { return this.keys.authenticate(secret); }
 */
@Injectable()
export class ApiKeysService extends ResourceReads<ApiKey> {
  private readonly recentUses = new LRUCache<number, true>({ max: MAX_RECENT_USES, ttl: USE_INTERVAL_MS });

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly accounts: AccountsRepository,
    private readonly database: Database,
  ) {
    super(keys);
  }

  /**
   * Returns the principal of a key, or `null` for an unknown key. The principal has the permissions that both the key
   * and the current role of its owner have.
   */
  async authenticate(secret: string): Promise<Principal | null> {
    const digest = digestSecret(secret);
    const key = digest === null ? undefined : await this.keys.byDigest.load(digest);
    if (!key) return null;
    const { id, userId, role } = key;
    this.noteUse(id);
    const permissions = new Set(key.permissions.filter((name) => permissionsOf(role).has(name)));
    return { kind: 'api-key', userId, keyId: id, loginId: null, role, permissions, scheme: 'api-key' };
  }

  override get(id: number, caller: Caller): Promise<ApiKey> {
    return this.keys.get(buildRowKey(id, caller), caller.scope);
  }

  async create(
    body: Pick<ApiKey, 'name' | 'permissions'>,
    { principal, userId }: Caller,
    tx: SqlExecutor,
  ): Promise<CreatedApiKey> {
    await assertMayCreateKey(principal, tx, body);
    if ((await tx.manager.countBy(ApiKey, { userId })) >= MAX_KEYS) throw new ApiError(API_KEY_LIMIT_REACHED);
    const { value: key, digest } = newSecret();
    const values = { ...body, userId, hint: key.slice(0, 6), digest: Buffer.from(digest, 'hex') };
    const created = await this.keys.insert(values, tx, EVERYTHING);
    if (principal.keyId !== null) await this.keys.inheritDenials(principal.keyId, created.id, tx);
    return { ...created, key };
  }

  async patch(
    id: number,
    body: Partial<Pick<ApiKey, 'name' | 'permissions'>>,
    caller: Caller,
    preconditions: WritePreconditions,
  ): Promise<ApiKey> {
    const { permissions } = body;
    return this.changeLocked(id, caller, 'update', async (tx, { userId }, current) => {
      const owner = permissions && (await this.accounts.find(userId, EVERYTHING, tx));
      if (owner) assertGrantable(permissions, owner.role, current);
      return this.keys.update(id, { ...body }, caller.scope, preconditions, tx);
    });
  }

  /** Revokes a key. Every instance rejects the key from the next request on. */
  async remove(id: number, caller: Caller, preconditions: WritePreconditions): Promise<void> {
    await this.changeLocked(id, caller, 'delete', (tx) =>
      this.keys.remove(id, caller.scope, preconditions, tx),
    );
  }

  /**
   * Records the use of a key in the background, so that it does not delay the request. If it fails, the next use of the
   * key tries again.
   */
  private noteUse(id: number): void {
    if (this.recentUses.has(id)) return;
    this.recentUses.set(id, true);
    this.keys.recordUse(id, USE_INTERVAL_MS).catch(() => this.recentUses.delete(id));
  }

  /**
   * Locks the caller's user and a key, checks the permissions of the caller again, and then runs a change of the key.
   * @throws ApiError `API_KEY_NOT_FOUND` or `PERMISSION_DENIED`, or an error of `lockCaller()`
   */
  private async changeLocked<T>(
    id: number,
    caller: Caller,
    permission: 'update' | 'delete',
    work: (tx: SqlExecutor, row: ApiKey, current: Principal) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(async (tx) => {
      // The lock is exclusive. If two keys of one user change each other at the same time, one request waits for the
      // other. With shared locks, the two could deadlock.
      const current = await lockCaller(caller.principal, tx, 'exclusive');
      assertKeyPermission(current, permission);
      const row = await this.keys.lock(buildRowKey(id, caller), caller.scope, tx);
      if (row.userId !== caller.userId && !current.permissions.has(MANAGE_USERS))
        throw permissionDenied(current, MANAGE_USERS);
      return work(tx, row, current);
    });
  }
}

/** Builds the conditions that find a key. Without `manage_users`, callers find only their own keys. */
const buildRowKey = (id: number, { principal, userId }: Caller): Pick<ApiKey, 'id'> & Partial<ApiKey> =>
  principal.permissions.has(MANAGE_USERS) ? { id } : { id, userId };

/**
 * Asserts that the caller may create an API key with the permissions of a body. `ApiKeysService.create()` calls this
 * function. A POST that repeats an `Idempotency-Key` does not run the service. Pass this function to `@BeforeReplay()`,
 * so that such a POST is checked too.
 *
 * The function locks the user, so that concurrent requests cannot exceed the maximum number of keys.
 * @throws ApiError `PERMISSION_DENIED`, or `UNPROCESSABLE_ENTITY` for a permission that the owner lacks
 * @example @BeforeReplay(assertMayCreateKey)
 */
export async function assertMayCreateKey(caller: Principal, tx: SqlExecutor, body: object): Promise<void> {
  const current = await lockCaller(caller, tx, 'exclusive');
  assertKeyPermission(current, 'create');
  // The body of a repeated request is not validated, and has no default values.
  const { permissions = ['read'] } = body as Partial<ApiKey>;
  if (Array.isArray(permissions)) assertGrantable(permissions, current.role, current);
}

/** Asserts that a key does not get a permission that its owner lacks (422) or that the caller lacks (403). */
function assertGrantable(permissions: readonly Permission[], ownersRole: Role, caller: Principal): void {
  const beyond = permissions.flatMap((permission, i): ErrorDetail[] => {
    if (permissionsOf(ownersRole).has(permission)) return [];
    const message = `must be a permission of the owner's role, ${ownersRole} (got ${permission})`;
    return [{ field: `permissions.${i}`, code: 'NOT_ALLOWED', message }];
  });
  if (beyond.length > 0) throw bodyError(beyond);
  const missing = permissions.find((permission) => !caller.permissions.has(permission));
  if (missing) throw permissionDenied(caller, missing);
}
