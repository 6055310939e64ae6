import { Injectable } from '@nestjs/common';

import { PERMISSIONS_CODEC } from '../access/permissions.js';
import { AccountEntity, accountTable } from '../accounts/account.entity.js';
import { BatchLoader } from '../database/batch-loader.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { Database } from '../database/database.js';
import { equalsAnySql } from '../database/entity-table.js';
import { ResourceRepository } from '../resources/resource-repository.js';
import { ApiKey } from './api-key.entity.js';
import { API_KEYS } from './api-key.resource.js';

type KeyCredentials = Pick<ApiKey, 'id' | 'userId' | 'permissions'> & Pick<AccountEntity, 'role'>;

@Injectable()
export class ApiKeysRepository extends ResourceRepository<ApiKey> {
  private readonly users = accountTable(this.database.manager.dataSource);
  /** Finds keys by their digests in hex, with the roles of their owners. */
  readonly byDigest = new BatchLoader<string, KeyCredentials>((all) => this.findByDigests(all));

  constructor(database: Database) {
    super(database, API_KEYS);
  }

  private async findByDigests(digests: readonly string[]): Promise<Map<string, KeyCredentials>> {
    const text = `
      select encode(api_keys.digest, 'hex') as digest, api_keys.id, users.id as "userId", users.role,
        ${PERMISSIONS_CODEC.select('api_keys.permissions')} as permissions
      from api_keys join ${this.users} as users on users.id = api_keys.user_id
      where ${equalsAnySql('api_keys.digest', '$1', 'bytea')}`;
    const values = [digests.map((digest) => Buffer.from(digest, 'hex'))];
    const statement = { text, values, name: 'api_keys_find' };
    const keys = await this.database.accessReader.query<KeyCredentials & { digest: string }>(statement);
    return new Map(keys.map(({ digest, ...key }) => [digest, key]));
  }

  /**
   * Copies the `deny` grants of a key to a new key that it creates. Otherwise a key could evade its `deny` grants by
   * creating another key.
   */
  async inheritDenials(fromId: number, toId: number, tx: SqlExecutor): Promise<void> {
    const text = `
      insert into access_grants (resource_type, resource_id, api_key_id, permissions, effect)
      select resource_type, resource_id, $2, permissions, effect
      from access_grants where api_key_id = $1 and effect = 'deny'`;
    await tx.query({ text, values: [fromId, toId] });
  }

  /** Records the use of a key, at most once per `intervalMs` for all instances together. */
  async recordUse(id: number, intervalMs: number): Promise<void> {
    const text = `
      update api_keys set last_used_at = clock_timestamp(), version = version + 1, updated_at = clock_timestamp()
      where id = $1
        and (last_used_at is null or last_used_at < clock_timestamp() - $2::float8 * interval '1 millisecond')`;
    await this.database.query({ text, values: [id, intervalMs], name: 'api_key_used' });
  }
}
