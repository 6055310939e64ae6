import { Injectable } from '@nestjs/common';

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
import { INVALID_TOKEN, unauthorized } from '../auth.errors.js';
import { digestOf, newSecret } from '../secrets.js';
import { API_KEY_NOT_FOUND } from './api-key.errors.js';
import { ApiKeyRow, ApiKeysRepository } from './api-keys.repository.js';
import { API_KEY_CHANGED, ProvedKeys } from './proved-keys.js';

const HINT_LENGTH = 6;

export interface ApiKeyValues {
  readonly name: string;
  readonly permissions: readonly Permission[];
}

/** The API keys of a caller, or of everybody with `manage_users`. Others are not there: `API_KEY_NOT_FOUND`. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly proved: ProvedKeys,
    private readonly database: Database,
  ) {}

  list(query: ListQuery): Promise<Page<ApiKeyRow>> {
    return this.keys.list(query);
  }

  async get(id: number, caller: Principal): Promise<ApiKeyRow> {
    const row = await this.keys.get(id);
    if (row.userId === caller.userId || managesUsers(caller)) return row;
    throw new ApiError(API_KEY_NOT_FOUND, `${API_KEY_NOT_FOUND.summary} (id ${id})`);
  }

  /**
   * Asserts that the caller may make a key with these permissions for themself.
   *
   * @throws ApiError `UNPROCESSABLE_ENTITY` for permissions that the owner lacks, `PERMISSION_DENIED` for those that only
   *   the calling key lacks, `INVALID_TOKEN` where the owner is gone
   */
  admit({ permissions }: ApiKeyValues, caller: Principal): Promise<void> {
    return this.assertGrantable(permissions, caller.userId as number, caller);
  }

  /** @returns the row, and the key itself, which is known to nobody else from here on */
  async create(
    values: ApiKeyValues,
    caller: Principal,
    on: Connection,
  ): Promise<{ row: ApiKeyRow; key: string }> {
    const key = newSecret();
    const row = await this.keys.add(
      {
        userId: caller.userId as number,
        name: values.name,
        permissions: formatPermissions(values.permissions),
        hint: key.slice(0, HINT_LENGTH),
      },
      digestOf(key) as string,
      on,
    );
    return { row, key };
  }

  /** @throws ApiError as `admit` does */
  async patch(
    id: number,
    { permissions, ...others }: Partial<ApiKeyValues>,
    conditions: WriteConditions,
    caller: Principal,
  ): Promise<ApiKeyRow> {
    const { userId } = await this.get(id, caller);
    if (permissions) await this.assertGrantable(permissions, userId, caller);
    const changes = { ...others, ...(permissions && { permissions: formatPermissions(permissions) }) };
    return this.changing(id, (connection) => this.keys.update(id, changes, conditions, connection));
  }

  /** Ends a key: it is refused from the next request on, by every instance as soon as it hears. */
  async remove(id: number, conditions: WriteConditions, caller: Principal): Promise<void> {
    await this.get(id, caller);
    await this.changing(id, (connection) => this.keys.remove(id, conditions, connection));
  }

  private async assertGrantable(
    permissions: readonly Permission[],
    ownerId: number,
    caller: Principal,
  ): Promise<void> {
    const role = await this.keys.findOwnersRole(ownerId);
    if (!role) throw unauthorized(INVALID_TOKEN);
    const beyond = permissions.flatMap((permission, i) =>
      ROLE_PERMISSIONS[role].has(permission) ? [] : beyondOwner(role, permission, i),
    );
    if (beyond.length > 0) throw bodyError(beyond);
    // Nobody hands out what they do not hold, a key no more than a user.
    const missing = permissions.find((permission) => !caller.permissions.has(permission));
    if (missing) throw denied(caller, missing);
  }

  private async changing<T>(id: number, work: (connection: Connection) => Promise<T>): Promise<T> {
    const result = await this.database.transaction(async (connection) => {
      const changed = await work(connection);
      await notify(connection, API_KEY_CHANGED, String(id));
      return changed;
    });
    this.proved.forget(id);
    return result;
  }
}

const managesUsers = ({ permissions }: Principal): boolean => permissions.has('manage_users');

const beyondOwner = (role: Role, permission: Permission, index: number): Fault => ({
  field: `permissions.${index}`,
  code: 'NOT_ALLOWED',
  message: `is ${permission}, which a key of a user of role ${role} cannot have`,
});
