import { Injectable } from '@nestjs/common';

import { assertManagesUsers } from '../access/current-caller.js';
import { formatPermissions } from '../access/permission-list.js';
import { Principal } from '../access/principal.js';
import { Connection } from '../database/connection.js';
import { Database } from '../database/database.js';
import { bodyError } from '../fields/faults.js';
import { WriteConditions } from '../http/caching/preconditions.js';
import { ListQuery } from '../lists/list-query.js';
import { Page } from '../lists/list-representation.js';
import { CreateGrantDto } from './grant.dto.js';
import { GrantRow, GrantsRepository } from './grants.repository.js';
import { CachedGrants, granteeOf } from './cached-grants.js';

/** What single users and keys may, or may not, do with single resources. In force at once, elsewhere within a second. */
@Injectable()
export class GrantsService {
  constructor(
    private readonly grants: GrantsRepository,
    private readonly held: CachedGrants,
    private readonly database: Database,
  ) {}

  list(query: ListQuery): Promise<Page<GrantRow>> {
    return this.grants.list(query);
  }

  get(id: number): Promise<GrantRow> {
    return this.grants.get(id);
  }

  /**
   * Asserts that the caller may grant, until the end of the transaction.
   *
   * @throws ApiError 401 where the caller has been deleted, `PERMISSION_DENIED`
   */
  admit(caller: Principal, on: Connection): Promise<void> {
    return assertManagesUsers(caller, on);
  }

  /** @throws ApiError `VALIDATION_FAILED`, `UNPROCESSABLE_ENTITY` where it is not about exactly one user or key */
  create({ permissions, ...values }: CreateGrantDto, caller: Principal, on: Connection): Promise<GrantRow> {
    mustNameOne(values);
    const stored = { ...values, permissions: formatPermissions(permissions) };
    return this.changing(caller, on, values, (connection) => this.grants.insert(stored, connection));
  }

  async remove(id: number, caller: Principal, conditions: WriteConditions): Promise<void> {
    const grant = await this.grants.get(id);
    await this.changing(caller, this.database, grant, (connection) =>
      this.grants.remove(id, conditions, connection),
    );
  }

  private changing<T>(
    caller: Principal,
    on: Connection,
    grantee: Parameters<typeof granteeOf>[0],
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    const name = granteeOf(grantee);
    return on.transaction(async (connection) => {
      await this.admit(caller, connection);
      const changed = await work(connection);
      // In force here at once; other instances are told by the table.
      connection.afterCommit(() => {
        this.held.forget(name);
      });
      return changed;
    });
  }
}

function mustNameOne({ userId, apiKeyId }: Pick<CreateGrantDto, 'userId' | 'apiKeyId'>): void {
  if (userId === null && apiKeyId === null) {
    const message = 'is missing, and so is apiKeyId; takes one of the two';
    throw bodyError([{ field: 'userId', code: 'REQUIRED', message }]);
  }
  if (userId !== null && apiKeyId !== null) {
    throw bodyError([
      { field: 'apiKeyId', code: 'NOT_ALLOWED', message: 'goes with no userId: take one of the two' },
    ]);
  }
}
