import { Injectable } from '@nestjs/common';

import { assertPermission } from '../access/access.errors.js';
import type { AccessScope } from '../access/access-scope.js';
import { assertKeyPermission, assertManagesUsers, lockCaller } from '../accounts/current-role.js';
import { Caller } from '../access/caller.js';
import type { GrantedPermission } from '../access/grants.js';
import { Principal } from '../access/principal.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { Database } from '../database/database.js';
import { bodyError } from '../fields/faults.js';
import { WritePreconditions } from '../http/caching/preconditions.js';
import { ResourceReads } from '../resources/resource.service.js';
import { AccessGrant } from './grant.entity.js';
import { CreateAccessGrantDto } from './grant.dto.js';
import { ACCESS_GRANTS } from './grant.resource.js';
import { GrantsRepository } from './grants.repository.js';

/** A row that is shared with a user. */
export interface SharedRow extends Pick<AccessGrant, 'resourceType' | 'resourceId'> {
  readonly userId: number;
}

/**
 * Creates and removes grants. `/access-grants` needs the permission `manage_users`. For a route of your own that lets others
 * share rows, use `share()` and `unshare()`.
 * @example
 * const row = { resourceType: 'ticket', resourceId: ticket.id, userId };
 * await this.grants.share(row, ['read'], caller, tx);
 */
@Injectable()
export class GrantsService extends ResourceReads<AccessGrant> {
  constructor(
    private readonly grants: GrantsRepository,
    private readonly database: Database,
  ) {
    super(grants);
  }

  /**
   * Creates a grant.
   * @throws ApiError `VALIDATION_FAILED` or `UNPROCESSABLE_ENTITY` if the body does not have exactly one of `userId` and
   * `apiKeyId`
   * @throws ApiError `UNPROCESSABLE_ENTITY` if `rows` limit the caller, and the resource does not concern the caller
   * @throws ApiError `PERMISSION_DENIED` if the caller is an API key, and the grant allows more than the key may do
   */
  async create(
    body: CreateAccessGrantDto,
    { principal, scope }: Caller,
    tx: SqlExecutor,
  ): Promise<AccessGrant> {
    assertOneGrantee(body);
    assertMayAllow(await assertManagesUsers(principal, tx), body);
    return this.insert(body, scope, tx);
  }

  /**
   * Allows a user some actions on a row, in place of what was shared with the user before. The caller needs no
   * `manage_users`: the route decides by its own access rule who may share. The user gets no permission that the role or the
   * API key of the caller lacks.
   * @param row a row that you have read with a scope of the caller, and the user
   * @example
   * await this.grants.share({ resourceType: 'ticket', resourceId: ticket.id, userId }, ['read'], caller, tx);
   * @throws ApiError `UNPROCESSABLE_ENTITY` if the user does not exist, or if `rows` limit the caller and do not select the
   * user or the row
   * @throws ApiError `PERMISSION_DENIED` if the caller lacks one of the permissions
   */
  async share(
    row: SharedRow,
    permissions: GrantedPermission[],
    caller: Caller,
    tx: SqlExecutor,
  ): Promise<AccessGrant> {
    const current = await lockCaller(caller.principal, tx);
    for (const permission of permissions) assertPermission(current, permission);
    await this.unshare(row, tx);
    const grant = { ...row, permissions, apiKeyId: null, effect: 'allow' } as const;
    return this.insert(grant, caller.scopeOf(ACCESS_GRANTS), tx);
  }

  /**
   * Removes what is shared of a row with a user, or with everybody. Call it when a row moves to another company, because grants
   * remain. Access rules are not applied: pass only a row that the caller may change.
   * @param row the row, and the user. Without `userId`, nobody keeps a grant that allows something on the row
   * @example await this.grants.unshare({ resourceType: 'ticket', resourceId: ticket.id, userId }, tx);
   */
  async unshare(row: Omit<SharedRow, 'userId'> & Partial<SharedRow>, tx: SqlExecutor): Promise<void> {
    await this.grants.removeAllowed(row, tx);
  }

  private async insert(
    grant: CreateAccessGrantDto,
    scope: AccessScope,
    tx: SqlExecutor,
  ): Promise<AccessGrant> {
    const { resourceType, resourceId } = grant;
    // A grant opens rows only for its holder, who cannot pass it on.
    const ownScope = { ...scope, grants: scope.grants.denials };
    if (!(await this.grants.concernsCaller(resourceType, resourceId, ownScope, tx)))
      throw bodyError([
        { field: 'resourceId', code: 'NOT_ALLOWED', message: 'refers to a resource that does not exist' },
      ]);
    await this.grants.lockHolder(grant, ownScope, tx);
    return this.grants.insert(grant, tx, ownScope);
  }

  async remove(id: number, { principal, scope }: Caller, preconditions: WritePreconditions): Promise<void> {
    await this.database.transaction(async (tx) => {
      assertKeyPermission(await assertManagesUsers(principal, tx), 'delete');
      await this.grants.remove(id, scope, preconditions, tx);
    });
  }
}

/**
 * Asserts that an API key allows only permissions that it has itself. Otherwise a key could give itself more
 * permissions.
 */
function assertMayAllow(current: Principal, { effect, permissions }: CreateAccessGrantDto): void {
  assertKeyPermission(current, 'create');
  for (const permission of effect === 'allow' ? permissions : []) assertKeyPermission(current, permission);
}

function assertOneGrantee({ userId, apiKeyId }: Pick<AccessGrant, 'userId' | 'apiKeyId'>): void {
  const missing = 'is required if `apiKeyId` is null';
  const message = 'must be null if `userId` is set';
  if (userId === null && apiKeyId === null)
    throw bodyError([{ field: 'userId', code: 'REQUIRED', message: missing }]);
  if (userId !== null && apiKeyId !== null)
    throw bodyError([{ field: 'apiKeyId', code: 'NOT_ALLOWED', message }]);
}
