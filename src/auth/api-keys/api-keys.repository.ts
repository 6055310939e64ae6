import { Injectable } from '@nestjs/common';

import { Role } from '../../access/permissions.js';
import { Connection } from '../../database/connection.js';
import { Database } from '../../database/database.js';
import { ResourceRepository, ResourceRow } from '../../resources/resource-repository.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { API_KEY_NOT_FOUND } from './api-key.errors.js';

/** An API key as it is read: without its digest. */
export interface ApiKeyRow extends ResourceRow {
  readonly userId: number;
  readonly name: string;
  /** As `permission-list.ts` writes them. */
  readonly permissions: string;
  readonly hint: string;
  readonly lastUsedAt: string | null;
}

/** A verified key, with its owner's role. */
export interface KeyCredentials {
  readonly id: number;
  readonly userId: number;
  readonly role: Role;
  readonly permissions: string;
}

@Injectable()
export class ApiKeysRepository extends ResourceRepository<ApiKeyRow> {
  constructor(database: Database) {
    super(database, ApiKeyEntity, { notFound: API_KEY_NOT_FOUND });
  }

  /** @param digest in hex */
  add(
    values: Omit<ApiKeyRow, keyof ResourceRow | 'lastUsedAt'>,
    digest: string,
    on: Connection,
  ): Promise<ApiKeyRow> {
    const stored = { ...values, digest: Buffer.from(digest, 'hex') };
    return this.insert(stored, on);
  }

  /** The number of a user's keys. */
  async countOf(userId: number, on: Connection): Promise<number> {
    const text = 'select count(*)::int as count from api_keys where user_id = $1';
    const [row] = await on.query<{ count: number }>({ text, values: [userId], name: 'api_keys_count' });
    return row?.count ?? 0;
  }

  /** The key of a digest, with its owner's role; `undefined` if there is none. */
  async findByDigest(digest: string): Promise<KeyCredentials | undefined> {
    const text = `
      select api_keys.id, user_id as "userId", role, permissions
      from api_keys join users on users.id = user_id where digest = $1`;
    const values = [Buffer.from(digest, 'hex')];
    return (await this.database.query<KeyCredentials>({ text, values, name: 'api_key_find' }))[0];
  }

  /** The current role of a key's owner; `undefined` if there is no such user. */
  async findOwnersRole(userId: number, on: Connection = this.database): Promise<Role | undefined> {
    const text = 'select role from users where id = $1';
    const [owner] = await on.query<{ role: Role }>({
      text,
      values: [userId],
      name: 'owners_role',
    });
    return owner?.role;
  }

  /** Records the use of a key, at most once per `intervalMs` over all instances. */
  async used(id: number, intervalMs: number): Promise<void> {
    const text = `
      update api_keys set last_used_at = clock_timestamp(), version = version + 1, updated_at = clock_timestamp()
      where id = $1
        and (last_used_at is null or last_used_at < clock_timestamp() - $2::float8 * interval '1 millisecond')`;
    await this.database.query({ text, values: [id, intervalMs], name: 'api_key_used' });
  }
}
