import { Injectable } from '@nestjs/common';

import { lockCaller } from '../../access/current-caller.js';
import { denied } from '../../access/decision.js';
import { formatPermissions } from '../../access/permission-list.js';
import { Permission, Role, ROLE_PERMISSIONS } from '../../access/permissions.js';
import { Principal } from '../../access/principal.js';
import { Connection } from '../../database/connection.js';
import { Database } from '../../database/database.js';
import { notify } from '../../database/notifications.js';
import { bodyError, Fault } from '../../fields/faults.js';
import { WriteConditions } from '../../http/caching/preconditions.js';
import { ApiError } from '../../http/errors/api-error.js';
import { ListQuery } from '../../lists/list-query.js';
import { Page } from '../../lists/list-representation.js';
import { digestOf, newSecret } from '../secrets.js';
import { API_KEY_LIMIT_REACHED, API_KEY_NOT_FOUND } from './api-key.errors.js';
import { ApiKeyRow, ApiKeysRepository } from './api-keys.repository.js';
import { API_KEY_CHANGED, ApiKeyVerifier } from './api-key-verifier.js';

const HINT_LENGTH = 6;
/** Keys per user. Each has a rate limit of its own, so their number must be limited. */
const MAX_KEYS = 100;

export interface ApiKeyValues {
  readonly name: string;
  readonly permissions: readonly Permission[];
}

/** The API keys of the caller, and with `manage_users` those of everybody. Other keys are `API_KEY_NOT_FOUND`. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly verifier: ApiKeyVerifier,
    private readonly database: Database,
  ) {}

  list(query: ListQuery): Promise<Page<ApiKeyRow>> {
    return this.keys.list(query);
  }

  async get(id: number, caller: Principal): Promise<ApiKeyRow> {
    const row = await this.keys.get(id);
    if (row.userId === caller.userId || managesUsers(caller)) return row;
    throw notFound(id);
  }

  /**
   * Asserts that the caller may create a key with these permissions, until the end of the transaction.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY` for permissions that the owner lacks, `PERMISSION_DENIED` for those that only
   *   the calling key lacks, 401 where the owner has been deleted
   */
  async admit({ permissions }: ApiKeyValues, caller: Principal, on: Connection): Promise<void> {
    // The lock makes creations of one user wait for each other, so that `create` counts exactly.
    const current = await lockCaller(caller, on, 'exclusive');
    assertGrantable(permissions, current.role, current);
  }

  /**
   * @returns the row, and the key itself, which is stored nowhere
   * @throws ApiError as `admit` does; `API_KEY_LIMIT_REACHED`
   */
  async create(
    values: ApiKeyValues,
    caller: Principal,
    on: Connection,
  ): Promise<{ row: ApiKeyRow; key: string }> {
    const userId = caller.userId as number;
    const key = newSecret();
    const stored = {
      userId,
      name: values.name,
      permissions: formatPermissions(values.permissions),
      hint: key.slice(0, HINT_LENGTH),
    };
    return on.transaction(async (transaction) => {
      await this.admit(values, caller, transaction);
      const count = await this.keys.countOf(userId, transaction);
      if (count >= MAX_KEYS) throw new ApiError(API_KEY_LIMIT_REACHED);
      return { row: await this.keys.add(stored, digestOf(key) as string, transaction), key };
    });
  }

  /** @throws ApiError as `admit` does */
  async patch(
    id: number,
    { permissions, ...others }: Partial<ApiKeyValues>,
    conditions: WriteConditions,
    caller: Principal,
  ): Promise<ApiKeyRow> {
    const changes = { ...others, ...(permissions && { permissions: formatPermissions(permissions) }) };
    return this.changing(id, caller, async (connection, { userId }, current) => {
      const role = permissions && (await this.keys.findOwnersRole(userId, connection));
      if (role) assertGrantable(permissions, role, current);
      return this.keys.update(id, changes, conditions, connection);
    });
  }

  /** Revokes a key: it is refused from the next request on, by other instances as soon as they are told. */
  async remove(id: number, conditions: WriteConditions, caller: Principal): Promise<void> {
    await this.changing(id, caller, (connection) => this.keys.remove(id, conditions, connection));
  }

  /** Runs a write of a key, by its owner or by a caller who may manage users now. */
  private async changing<T>(
    id: number,
    caller: Principal,
    work: (connection: Connection, key: ApiKeyRow, current: Principal) => Promise<T>,
  ): Promise<T> {
    const key = await this.keys.find(id);
    const result = await this.database.transaction(async (connection) => {
      const current = await lockCaller(caller, connection);
      if (!key) throw notFound(id);
      if (key.userId !== caller.userId) assertManages(caller, current, id);
      const changed = await work(connection, key, current);
      await notify(connection, API_KEY_CHANGED, String(id));
      return changed;
    });
    this.verifier.forget(id);
    return result;
  }
}

const managesUsers = ({ permissions }: Principal): boolean => permissions.has('manage_users');

const notFound = (id: number): ApiError =>
  new ApiError(API_KEY_NOT_FOUND, id > 0 ? `${API_KEY_NOT_FOUND.summary} (id ${id})` : undefined);

/** Keys of others are unknown to callers without `manage_users`, and forbidden to those who have lost it. */
function assertManages(caller: Principal, current: Principal, keyId: number): void {
  if (!managesUsers(caller)) throw notFound(keyId);
  if (!managesUsers(current)) throw denied(current, 'manage_users');
}

/**
 * Asserts that a key gets no permission that its owner or the caller lacks.
 *
 * @throws ApiError `UNPROCESSABLE_ENTITY` for what the owner lacks, `PERMISSION_DENIED` for what the caller lacks
 */
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
