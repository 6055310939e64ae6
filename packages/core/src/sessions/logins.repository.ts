import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';

import { AccountEntity, accountTable } from '../accounts/account.entity.js';
import { attributesSql } from '../accounts/attributes.js';
import { Attributes } from '../config/define-access.js';
import { BatchLoader } from '../database/batch-loader.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { Database } from '../database/database.js';
import { userCallerKey } from '../database/replicas.js';
import { removeInBatches } from '../database/remove-in-batches.js';
import { equalsAnySql } from '../database/entity-table.js';
import { canonicalEmail } from '../fields/email.js';
import { ApiError } from '../http/errors/api-error.js';
import { addressKey } from '../http/rate-limit/address-key.js';
import { ResourceRepository } from '../resources/resource-repository.js';
import { Login } from './login.entity.js';
import { SESSION_NOT_FOUND } from './session.errors.js';
import { SESSIONS } from './session.resource.js';

export type ClientInfo = Pick<Login, 'userAgent'> & { readonly address: string };

export type CurrentLogin = Pick<Login, 'userId'> & Pick<AccountEntity, 'role'>;

export interface RefreshedLogin extends CurrentLogin {
  readonly loginId: number;
  readonly secondsLeft: number;
  /** Only if the application declares attributes. */
  readonly attributes?: Attributes;
}

export interface RefreshTokenFamily {
  readonly loginId: number;
  readonly state: 'unused' | 'justUsed' | 'used';
}

/**
 * The time after the exchange of a refresh token in which a second use does not count as theft. Two tabs that refresh
 * at the same time send the same token. A client that lost a response sends its old token again.
 */
const REUSE_GRACE_INTERVAL = `interval '10 seconds'`;
/**
 * The maximum time from a login to the expiry of its last refresh token, however often the tokens are exchanged. A
 * session has no such limit.
 */
const FAMILY_TTL_INTERVAL = `interval '30 days'`;
export const FAMILY_TTL_SECONDS = 30 * 86_400;
/** The time for which an address counts as known after the user's last login from it. */
const KNOWN_ADDRESS_TTL_INTERVAL = `interval '90 days'`;

const digestBytes = (digest: string): Buffer => Buffer.from(digest, 'hex');

@Injectable()
export class LoginsRepository extends ResourceRepository<Login> {
  private readonly users = accountTable(this.database.manager.dataSource);
  /** Finds the users of logins, with their current roles. It finds nothing for a login that has ended. */
  readonly currentLogins = new BatchLoader<number, CurrentLogin>((ids) => this.findAllCurrent(ids));

  constructor(database: Database) {
    super(database, SESSIONS);
  }

  /** Runs `work` in a new transaction. */
  transaction<T>(work: (tx: SqlExecutor) => Promise<T>): Promise<T> {
    return this.database.transaction(work);
  }

  /** Sends the reads of a user to the primary for some seconds, because replicas may not have a new login yet. */
  async readFromPrimary(userId: number): Promise<void> {
    await this.database.replicas?.recordWrite(userCallerKey(userId));
  }

  /**
   * Asserts that a login has not expired. The row of an expired login exists until the next clean-up.
   * @throws ApiError `SESSION_NOT_FOUND`
   */
  async assertUnexpired(id: number, { manager }: SqlExecutor = this.database): Promise<void> {
    const expiresAt = Raw((column) => `${column} > clock_timestamp()`);
    if (!(await manager.existsBy(Login, { id, expiresAt }))) throw new ApiError(SESSION_NOT_FOUND);
  }

  /**
   * Adds a login and its first refresh token.
   * @param refresh its `digest` is `null` for a login without refresh tokens
   * @returns the id of the login, or `undefined` if the user has been changed or deleted since the password was
   * verified
   */
  async open(
    { id, version }: AccountEntity,
    { userAgent, address }: ClientInfo,
    ttlMs: number,
    refresh: { readonly digest: string | null; readonly seconds: number },
    tx: SqlExecutor,
  ): Promise<number | undefined> {
    const text = `
      with opened as (
        insert into logins (user_id, user_agent, address, expires_at)
        select id, left($3, 500), left($4, 45), clock_timestamp() + $5::float8 * interval '1 millisecond'
        from ${this.users} where id = $1 and version = $2 for share
        returning id, user_id
      ), issued as (
        insert into refresh_tokens (digest, login_id, expires_at)
        select $6::bytea, id, clock_timestamp() + $7::float8 * interval '1 second'
        from opened where $6::bytea is not null
      )
      select id from opened`;
    const client = [userAgent, address, ttlMs];
    const values = [id, version, ...client, refresh.digest && digestBytes(refresh.digest), refresh.seconds];
    const [opened] = await tx.query<{ id: number }>({ text, values, name: 'login_open' });
    return opened?.id;
  }

  /**
   * Exchanges an unused refresh token for a new one. If several requests send the same token, only one of them
   * succeeds.
   * @returns `undefined` if the token is unknown, expired or already exchanged
   */
  async rotate(digest: string, next: string, ttlSeconds: number): Promise<RefreshedLogin | undefined> {
    const text = `
      with used as (
        update refresh_tokens set used_at = clock_timestamp()
        where digest = $1 and used_at is null and expires_at > clock_timestamp()
          and (select created_at from logins where id = refresh_tokens.login_id) > clock_timestamp() - ${FAMILY_TTL_INTERVAL}
        returning login_id
      ), family as (
        select login_id, user_id,
          least(clock_timestamp() + $3::float8 * interval '1 second', created_at + ${FAMILY_TTL_INTERVAL}) as expires_at
        from used
        cross join lateral (select user_id, created_at from logins where id = used.login_id offset 0) as logins
      ), issued as (
        insert into refresh_tokens (digest, login_id, expires_at) select $2, login_id, expires_at from family
      ), seen as (
        update logins set last_seen_at = clock_timestamp(), version = version + 1, updated_at = clock_timestamp(),
          expires_at = greatest(expires_at, (select expires_at from family))
        where id = (select login_id from family)
      )
      select family.login_id as "loginId", users.id as "userId", users.role,
        floor(extract(epoch from family.expires_at - clock_timestamp()))::int as "secondsLeft"${attributesSql(this.database.manager.dataSource, 'users')}
      from family join ${this.users} as users on users.id = family.user_id`;
    const values = [digestBytes(digest), digestBytes(next), ttlSeconds];
    const [rotated] = await this.database.query<RefreshedLogin>({
      text,
      values,
      name: 'refresh_token_rotate',
    });
    return rotated;
  }

  /**
   * Returns the login of a refresh token, and the state of the token. `justUsed` means that the token was exchanged in
   * the last ten seconds.
   */
  async findFamily(digest: string): Promise<RefreshTokenFamily | undefined> {
    const text = `
      select login_id as "loginId", case
        when used_at is null then 'unused'
        when used_at > clock_timestamp() - ${REUSE_GRACE_INTERVAL} then 'justUsed'
        else 'used' end as state
      from refresh_tokens where digest = $1`;
    const [family] = await this.database.query<RefreshTokenFamily>({ text, values: [digestBytes(digest)] });
    return family;
  }

  /** Records that a login was used, and extends it. */
  async touch(id: number, ttlMs: number): Promise<void> {
    const text = `
      update logins set last_seen_at = clock_timestamp(), version = version + 1, updated_at = clock_timestamp(),
        expires_at = greatest(expires_at, clock_timestamp() + $2::float8 * interval '1 millisecond')
      where id = $1`;
    await this.database.query({ text, values: [id, ttlMs], name: 'login_seen' });
  }

  /** Stores that a user has sent the right password from an address. */
  async rememberAddress(userId: number, address: string): Promise<void> {
    const text = `
      insert into login_addresses (user_id, address)
      select id, left($2, 45) from ${this.users} where id = $1 for key share
      on conflict (user_id, address) do update set last_seen_at = clock_timestamp()
      where login_addresses.last_seen_at < clock_timestamp() - interval '1 day'`;
    await this.database.query({ text, values: [userId, addressKey(address)], name: 'login_address' });
  }

  /** Whether the user of an e-mail has sent the right password from an address in the last 90 days. */
  async isKnownAddress(email: string, address: string): Promise<boolean> {
    const text = `
      select 1 from login_addresses as known join ${this.users} as users on users.id = known.user_id
      where users.canonical_email = $1 and known.address = $2`;
    const values = [canonicalEmail(email), addressKey(address)];
    return (await this.database.query({ text, values })).length > 0;
  }

  /**
   * `offset 0` makes PostgreSQL find logins by key before the join. Without it, PostgreSQL may choose a merge join if
   * it plans the statement while the table is empty.
   */
  private async findAllCurrent(ids: readonly number[]): Promise<Map<number, CurrentLogin>> {
    const text = `
      select logins.id, users.id as "userId", users.role
      from (select id, user_id from logins where ${equalsAnySql('id', '$1', 'bigint')} offset 0) as logins
      join ${this.users} as users on users.id = logins.user_id`;
    const statement = { text, values: [ids], name: 'logins_current' };
    const rows = await this.database.accessReader.query<CurrentLogin & { id: number }>(statement);
    return new Map(rows.map(({ id, ...login }) => [id, login]));
  }

  async end(id: number): Promise<void> {
    await this.database.query({ text: 'delete from logins where id = $1', values: [id], name: 'login_end' });
  }

  /**
   * Removes expired logins, tokens and addresses. Tokens are removed separately, because a login outlives most of its
   * tokens.
   */
  async removeExpired(): Promise<void> {
    const isExpired = 'expires_at <= now()';
    await removeInBatches(this.database, 'logins', 'id', isExpired);
    for (const table of ['refresh_tokens', 'account_tokens'])
      await removeInBatches(this.database, table, 'digest', isExpired);
    const isOld = `last_seen_at < now() - ${KNOWN_ADDRESS_TTL_INTERVAL}`;
    await removeInBatches(this.database, 'login_addresses', 'user_id, address', isOld);
  }
}
