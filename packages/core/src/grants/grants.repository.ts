import { Injectable } from '@nestjs/common';

import type { AccessScope } from '../access/access-scope.js';
import { findReferableRows } from '../access/resolve-scope.js';
import { Grant, Grants, NO_GRANTS } from '../access/grants.js';
import { PERMISSIONS_CODEC } from '../access/permissions.js';
import { Principal } from '../access/principal.js';
import { allLimitedResources, findLimitedResource, grantSourcesOf } from '../access/row-limits.js';
import { accountClass } from '../accounts/account.entity.js';
import type { ResourceType } from '../config/define-access.js';
import { BatchLoader } from '../database/batch-loader.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { Database } from '../database/database.js';
import { equalsAnySql } from '../database/entity-table.js';
import { isSelected } from '../database/row-filter.js';
import { ResourceRepository } from '../resources/resource-repository.js';
import { AccessGrant } from './grant.entity.js';
import { ACCESS_GRANTS } from './grant.resource.js';

/**
 * The time for which the result of `hasGrants()` is reused. It is less than a second, so that even the first grant in
 * the table takes effect within a second.
 */
const EXISTENCE_TTL_MS = 900;

@Injectable()
export class GrantsRepository extends ResourceRepository<AccessGrant> {
  /** Finds grants by the id of a user, or by the negative id of an API key. */
  private readonly byGrantee = new BatchLoader<number, Grant[]>((ids) => this.findByGrantees(ids));
  private existenceCheck: Promise<boolean> | undefined;
  private checkedAt = 0;

  constructor(database: Database) {
    super(database, ACCESS_GRANTS);
  }

  /**
   * Returns the grants that apply to a caller. To an API key, both its own grants and the grants of its owner apply. If
   * the table contains no grants, this method does not query them for each caller.
   */
  async findByPrincipal({ userId, keyId }: Pick<Principal, 'userId' | 'keyId'>): Promise<Grants> {
    if (userId === null || !(await this.hasGrants())) return NO_GRANTS;
    const ids = keyId === null ? [userId] : [userId, -keyId];
    const found = await Promise.all(ids.map((id) => this.byGrantee.load(id)));
    return new Grants(found.flatMap((grants) => grants ?? []));
  }

  override insert(grant: Partial<AccessGrant>, tx: SqlExecutor, scope?: AccessScope): Promise<AccessGrant> {
    // The table may have been empty until now.
    tx.afterCommit(() => (this.existenceCheck = undefined));
    return super.insert(grant, tx, scope);
  }

  /** Removes the grants that allow something on a row, to one user, or to everybody if `userId` is omitted. */
  async removeAllowed(
    {
      resourceType,
      resourceId,
      userId = null,
    }: Pick<AccessGrant, 'resourceType' | 'resourceId'> & Partial<AccessGrant>,
    tx: SqlExecutor,
  ): Promise<void> {
    const text = `
      delete from access_grants where resource_type = $1 and resource_id = $2 and effect = 'allow'
        and ($3::bigint is null or user_id = $3)`;
    await tx.query({ text, values: [resourceType, resourceId, userId] });
  }

  /**
   * Whether the resource of a grant, and all that the grant opens with it, concerns the caller. If `rows` do not limit the
   * caller, any resource does. Otherwise, the row of the resource is locked: it does not move before the grant is stored.
   */
  async concernsCaller(
    type: ResourceType,
    id: number,
    scope: AccessScope,
    tx: SqlExecutor,
  ): Promise<boolean> {
    const opened = allLimitedResources().flatMap((resource) =>
      grantSourcesOf(resource)
        .filter((source) => source.type === type && !source.deniesOnly)
        .map(({ property }) => ({ resource, property, filter: findReferableRows(resource, scope) })),
    );
    const own = opened.find(({ property, filter }) => property === 'id' && filter.anyOf !== null);
    if (own) return isSelected(this.table.tableOf(own.resource.entity), own.filter, id, tx, 'for share');
    // Nothing tells whether rows of other resources that the grant would open concern the caller.
    return opened.every(({ filter }) => filter.anyOf === null);
  }

  /**
   * Locks the user who gets a grant, or whose API key gets it, so that the user does not move before the grant is stored. Users
   * who do not concern the caller are not locked: the caller would notice if another request holds their lock.
   */
  async lockHolder(
    { userId, apiKeyId }: Pick<AccessGrant, 'userId' | 'apiKeyId'>,
    scope: AccessScope,
    tx: SqlExecutor,
  ): Promise<void> {
    const users = findLimitedResource(accountClass());
    if (!users) return;
    const text = 'select user_id as "userId" from api_keys where id = $1';
    const [key] = userId === null ? await tx.query<{ userId: number }>({ text, values: [apiKeyId] }) : [];
    const id = userId ?? key?.userId;
    if (id === undefined) return;
    const filter = findReferableRows(users, scope);
    await isSelected(this.table.tableOf(users.entity), filter, id, tx, 'for share');
  }

  /** Whether the table contains any grant. Concurrent callers share a query, and a failed query is not reused. */
  private hasGrants(): Promise<boolean> {
    const now = performance.now();
    if (this.existenceCheck && now - this.checkedAt <= EXISTENCE_TTL_MS) return this.existenceCheck;
    this.checkedAt = now;
    const text = 'select 1 from access_grants limit 1';
    const reading = this.database.accessReader.query({ text, values: [] }).then((rows) => rows.length > 0);
    reading.catch(() => (this.existenceCheck = undefined));
    return (this.existenceCheck = reading);
  }

  private async findByGrantees(grantees: readonly number[]): Promise<Map<number, Grant[]>> {
    const text = `
      select coalesce(user_id, -api_key_id) as grantee, resource_type as "resourceType", effect,
        ${this.table.column('resourceId').selectSql}, ${PERMISSIONS_CODEC.select('permissions')} as permissions,
        api_key_id is not null as "isOfKey"
      from access_grants where ${equalsAnySql('user_id', '$1', 'bigint')} or ${equalsAnySql('api_key_id', '$2', 'bigint')}`;
    const statement = { text, values: [grantees, grantees.map((id) => -id)], name: 'grants_of' };
    const grants = await this.database.accessReader.query<Grant & { grantee: number }>(statement);
    const found = new Map<number, Grant[]>(grantees.map((id) => [id, []]));
    for (const grant of grants) found.get(grant.grantee)?.push(grant);
    return found;
  }
}
