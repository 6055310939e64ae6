import { Injectable } from '@nestjs/common';

import { assertKeyPermission, assertManagesUsers } from '../accounts/current-role.js';
import { Caller } from '../access/caller.js';
import { Principal } from '../access/principal.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { Database } from '../database/database.js';
import { bodyError } from '../fields/faults.js';
import { WritePreconditions } from '../http/caching/preconditions.js';
import { ResourceReads } from '../resources/resource.service.js';
import { AccessGrant } from './grant.entity.js';
import { CreateAccessGrantDto } from './grant.dto.js';
import { GrantsRepository } from './grants.repository.js';

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
    const { resourceType, resourceId } = body;
    // A grant opens rows only for its holder, who cannot pass it on.
    const ownScope = { ...scope, grants: scope.grants.denials };
    if (!(await this.grants.concernsCaller(resourceType, resourceId, ownScope, tx)))
      throw bodyError([
        { field: 'resourceId', code: 'NOT_ALLOWED', message: 'refers to a resource that does not exist' },
      ]);
    return this.grants.insert(body, tx, ownScope);
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
