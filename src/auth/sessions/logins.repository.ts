import { Injectable } from '@nestjs/common';

import {
  BatchLoader,
  canonicalEmail,
  Connection,
  Database,
  isAnyOf,
  ResourceRepository,
  Role,
} from '../../core/index.js';
import { Login } from './login.entity.js';
import { SESSIONS } from './session.resource.js';

/** The client that a login comes from. */
export interface ClientInfo {
  readonly userAgent: string | null;
  readonly address: string;
}

/** A user, as of when their password was verified. */
export interface VerifiedUser {
  readonly id: number;
  readonly version: number;
}

/** The user of a login that has not ended. */
export interface CurrentLogin {
  readonly userId: number;
  readonly role: Role;
}

/** The result of rotating a refresh token. */
export interface Rotated {
  readonly loginId: number;
  readonly id: number;
  readonly role: Role;
  /** Until the new token expires. */
  readonly secondsLeft: number;
}

/** A login ends after this time, however often its tokens are refreshed. */
const FAMILY_LIFE = `interval '30 days'`;
export const FAMILY_LIFE_SECONDS = 30 * 86_400;
/** An address counts as known this long after the user's last login from it. */
const ADDRESS_LIFE = `interval '90 days'`;
/** The number of expired logins that one statement removes. */
const BATCH = 1_000;

const bytes = (digest: string): Buffer => Buffer.from(digest, 'hex');

@Injectable()
export class LoginsRepository extends ResourceRepository<Login> {
  private readonly current = new BatchLoader<number, CurrentLogin>((ids) => this.findAllCurrent(ids));

  constructor(database: Database) {
    super(database, SESSIONS);
  }

  /**
   * Opens a login, if the user has not changed since their password was verified. Locks the user.
   *
   * @returns its id; `null` if the user has been changed or deleted
   */
  async open(user: VerifiedUser, client: ClientInfo, ttlMs: number, on: Connection): Promise<number | null> {
    const text = `
      insert into logins (user_id, user_agent, address, expires_at)
      select id, $3, $4, clock_timestamp() + $5::float8 * interval '1 millisecond'
      from users where id = $1 and version = $2 for share
      returning id`;
    const values = [user.id, user.version, client.userAgent, client.address, ttlMs];
    const [login] = await on.query<{ id: number }>({ text, values, name: 'login_open' });
    return login?.id ?? null;
  }

  async addRefreshToken(digest: string, loginId: number, ttlSeconds: number, on: Connection): Promise<void> {
    const text = `
      insert into refresh_tokens (digest, login_id, expires_at)
      values ($1, $2, clock_timestamp() + least($3::float8 * interval '1 second', ${FAMILY_LIFE}))`;
    await on.query({ text, values: [bytes(digest), loginId, ttlSeconds], name: 'refresh_token_add' });
  }

  /**
   * Replaces a refresh token by the next one of its family, in one statement: of concurrent uses of one token, one
   * wins. Logins are found by their key, not joined: see `findAllCurrent`.
   *
   * @returns `null` if the token is unknown, used or expired
   */
  async rotate(digest: string, next: string, ttlSeconds: number): Promise<Rotated | null> {
    const text = `
      with used as (
        update refresh_tokens set used_at = clock_timestamp()
        where digest = $1 and used_at is null and expires_at > clock_timestamp()
          and (select created_at from logins where id = refresh_tokens.login_id) > clock_timestamp() - ${FAMILY_LIFE}
        returning login_id
      ), family as (
        select login_id, user_id,
          least(clock_timestamp() + $3::float8 * interval '1 second', created_at + ${FAMILY_LIFE}) as expires_at
        from used
        cross join lateral (select user_id, created_at from logins where id = used.login_id offset 0) as logins
      ), issued as (
        insert into refresh_tokens (digest, login_id, expires_at) select $2, login_id, expires_at from family
      ), seen as (
        update logins set last_seen_at = clock_timestamp(), version = version + 1, updated_at = clock_timestamp(),
          expires_at = greatest(expires_at, (select expires_at from family))
        where id = (select login_id from family)
      )
      select login_id as "loginId", users.id, users.role,
        floor(extract(epoch from expires_at - clock_timestamp()))::int as "secondsLeft"
      from family join users on users.id = user_id`;
    const values = [bytes(digest), bytes(next), ttlSeconds];
    const [rotated] = await this.database.query<Rotated>({ text, values, name: 'refresh_token_rotate' });
    return rotated ?? null;
  }

  /** The login of a refresh token, and whether the token was used. */
  async findFamily(digest: string): Promise<{ id: number; isUsed: boolean } | null> {
    const text =
      'select login_id as id, used_at is not null as "isUsed" from refresh_tokens where digest = $1';
    const values = [bytes(digest)];
    const [family] = await this.database.query<{ id: number; isUsed: boolean }>({ text, values });
    return family ?? null;
  }

  /** Records the use of a login, and lets it live for at least `ttlMs` from now. */
  async seen(id: number, ttlMs: number): Promise<void> {
    const text = `
      update logins set last_seen_at = clock_timestamp(), version = version + 1, updated_at = clock_timestamp(),
        expires_at = greatest(expires_at, clock_timestamp() + $2::float8 * interval '1 millisecond')
      where id = $1`;
    await this.database.query({ text, values: [id, ttlMs], name: 'login_seen' });
  }

  /** Records that a user logged in from an address. */
  async rememberAddress(userId: number, address: string, on: Connection): Promise<void> {
    const text = `
      insert into login_addresses (user_id, address) values ($1, $2)
      on conflict (user_id, address) do update set last_seen_at = clock_timestamp()
      where login_addresses.last_seen_at < clock_timestamp() - interval '1 day'`;
    await on.query({ text, values: [userId, address], name: 'login_address_add' });
  }

  /** Whether the user of an e-mail has logged in from an address before. */
  async isKnownAddress(email: string, address: string): Promise<boolean> {
    const text = `
      select 1 from login_addresses join users on users.id = user_id
      where canonical_email = $1 and address = $2`;
    const values = [canonicalEmail(email), address];
    return (await this.database.query({ text, values })).length > 0;
  }

  /** The user of a login, with their current role; `undefined` if the login has ended. */
  findCurrent(id: number): Promise<CurrentLogin | undefined> {
    return this.current.load(id);
  }

  /**
   * The users of those logins that have not ended.
   *
   * `offset 0` has the logins found before they are joined, by their key. Where PostgreSQL expects no rows, as of a
   * table that was emptied, it may else read all of them in the order of another index, for a merge join.
   */
  private async findAllCurrent(ids: readonly number[]): Promise<Map<number, CurrentLogin>> {
    const text = `
      select logins.id, users.id as "userId", users.role
      from (select id, user_id from logins where ${isAnyOf('id', '$1', 'int')} offset 0) as logins
      join users on users.id = logins.user_id`;
    const values = [ids];
    const rows = await this.database.query<CurrentLogin & { id: number }>({
      text,
      values,
      name: 'logins_current',
    });
    return new Map(rows.map(({ id, ...login }) => [id, login]));
  }

  /** Deletes a login, with its refresh tokens and its session in the database. */
  async end(id: number): Promise<void> {
    await this.database.query({ text: 'delete from logins where id = $1', values: [id], name: 'login_end' });
  }

  /** Whether a login has expired by the clock of the database, which set the time of its expiry. */
  async isExpired(id: number, on: Connection): Promise<boolean> {
    const text = 'select 1 from logins where id = $1 and expires_at < clock_timestamp()';
    return (await on.query({ text, values: [id], name: 'login_is_expired' })).length > 0;
  }

  /** The number of logins that have not ended; past 100,000 what PostgreSQL estimates, which costs nothing. */
  async count(): Promise<number> {
    const text = `
      select case when reltuples > 100000 then reltuples else (select count(*) from logins) end::float8 as count
      from pg_class where oid = 'logins'::regclass`;
    const [row] = await this.database.query<{ count: number }>({ text, values: [], name: 'logins_count' });
    return row?.count ?? 0;
  }

  async removeExpired(): Promise<void> {
    const text = `
      delete from logins where id = any(array(
        select id from logins where expires_at <= clock_timestamp() limit ${BATCH} for update skip locked))`;
    await this.database.query({ text, values: [] });
    const addresses = `delete from login_addresses where last_seen_at < clock_timestamp() - ${ADDRESS_LIFE}`;
    await this.database.query({ text: addresses, values: [] });
  }
}
