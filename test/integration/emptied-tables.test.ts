import { randomBytes } from 'node:crypto';

import { LoginsRepository } from '../../packages/core/src/sessions/logins.repository.js';
import { sessionList } from '../../packages/core/src/sessions/session.resource.js';
import { DatabaseSessions } from '../../packages/core/src/sessions/session-stores.js';
import { CursorCodec } from '../../packages/core/src/lists/cursor.js';
import { readListQuery } from '../../packages/core/src/lists/list-query.js';
import { IdempotencyStore } from '../../packages/core/src/resources/idempotency/idempotency-store.js';
import { declarationsIn } from '../../packages/dev/src/migrations/scratch.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';
import { SOURCE_FOLDERS } from '../support/source-folders.js';

const TABLES = ['idempotency_keys', 'sessions', 'refresh_tokens', 'logins'];
const named = TABLES.map((table) => `'${table}'`).join();
const CURSORS = new CursorCodec(['a-secret-of-the-tests-of-32-bytes-or-more']);
const CLAIM = { caller: 'user 1', key: 'key 7', fingerprint: 'f', sealingKey: randomBytes(32) };

/** Inserts logins with a session and a refresh token each. */
const logins = (count: number): string => `
  with made as (
    insert into logins (user_id, expires_at)
    select (select min(id) from users), now() + interval '1 day' from generate_series(1, ${count}) returning id
  ), opened as (
    insert into sessions (digest, login_id, expires_at)
    select sha256(id::text::bytea), id, now() + interval '1 day' from made
  )
  insert into refresh_tokens (digest, login_id, expires_at)
  select sha256(id::text::bytea), id, now() + interval '1 day' from made`;

// With this many rows, the index of the keys has more levels than that of the times, and PostgreSQL prefers
// the lower one. The same is true for 80,000 logins.
const KEYS = `insert into idempotency_keys (caller, key, fingerprint, status, headers, sealed_json, created_at)
  select 'user ' || n % 8, encode(sha256(n::text::bytea), 'base64'), repeat('f', 64), 201, '{}', '{}', now() - n * interval '1 ms'
  from generate_series(1, 30000) n`;

const digest = (): string => randomBytes(32).toString('hex');
const ownLogins = readListQuery(sessionList, '', CURSORS, [{ property: 'userId', value: 2_000_000 }]);

/** How requests read each table of expiring rows, and how it is filled. */
const READS: Record<string, { fill: string; read: (on: OpenDatabase['database']) => Promise<unknown> }> = {
  'keys of idempotency': {
    fill: KEYS,
    read: (database) => {
      const fails = (): Promise<never> => Promise.reject(new Error('the key was found'));
      const store = new IdempotencyStore(database);
      return store.runIdempotent(CLAIM, fails, () => Promise.resolve()).catch(() => undefined);
    },
  },
  sessions: {
    fill: logins(10_000),
    read: (database) => new DatabaseSessions(database).find(digest()),
  },
  'logins by id': {
    fill: logins(10_000),
    read: (database) => new LoginsRepository(database).currentLogins.load(2_000_000),
  },
  'logins of a user': {
    fill: logins(80_000),
    read: (database) => new LoginsRepository(database).list(ownLogins),
  },
  'refresh tokens': {
    fill: logins(10_000),
    read: (database) => new LoginsRepository(database).rotate(digest(), digest(), 60),
  },
  'families of refresh tokens': {
    fill: logins(10_000),
    read: (database) => new LoginsRepository(database).findFamily(digest()),
  },
};

describe('tables whose rows have all expired', () => {
  let database: TestDatabase;
  let open: OpenDatabase;

  beforeAll(async () => {
    database = await createDatabase();
    const { entities } = await declarationsIn(...SOURCE_FOLDERS);
    // One connection, so that its statements and statistics can be observed.
    open = await openDatabase(database.url, { poolSize: 1, statementTimeoutMs: 60_000 }, [...entities]);
    await query(
      `insert into users (email, canonical_email, password_hash, name, role)
       values ('a@example.com', 'a@example.com', 'x', 'A', 'viewer')`,
    );
    // Disables foreign keys, which would check and cascade with a statement per row.
    await query('set session_replication_role = replica');
    for (const table of TABLES) await query(`alter table ${table} set (autovacuum_enabled = off)`);
    await query(logins(10_000));
    await query(KEYS);
  });
  afterAll(async () => {
    await open.close();
    await database.drop();
  });

  const query = <Row extends object>(text: string): Promise<Row[]> =>
    open.database.query<Row>({ text, values: [] });

  /** The number of rows that indexes and sequential scans of these tables have read so far. */
  async function rowsRead(): Promise<Record<string, number>> {
    await query('select pg_stat_force_next_flush()');
    const rows = await query<{ name: string; n: string }>(
      `select relname as name, seq_tup_read as n from pg_stat_user_tables where relname in (${named})
       union all select indexrelname, idx_tup_read from pg_stat_user_indexes where relname in (${named})`,
    );
    return Object.fromEntries(rows.map(({ name, n }) => [name, Number(n)]));
  }

  test.each(Object.keys(READS))('are still read by their keys when they fill again: %s', async (name) => {
    const { fill, read } = READS[name]!;
    for (const table of TABLES) await query(`delete from ${table}`);
    await query(`vacuum analyze ${TABLES.join()}`);
    const estimated = await query(`select reltuples from pg_class where relname in (${named})`);
    expect(estimated).toEqual(TABLES.map(() => ({ reltuples: 0 })));
    // Repeated until PostgreSQL keeps the plan.
    for (let time = 0; time < 8; time++) await read(open.database);
    await query(fill);
    // Tests the plans that were made for the empty table, and new ones.
    for (const prepare of ['select 1', 'discard plans']) {
      await query(prepare);
      const before = await rowsRead();
      for (let time = 0; time < 3; time++) await read(open.database);
      const more = Object.entries(await rowsRead()).map(([index, n]) => [index, n - before[index]!] as const);
      // The index may still contain a few deleted rows.
      expect(more.filter(([, n]) => n > 50)).toEqual([]);
    }
  });
});
