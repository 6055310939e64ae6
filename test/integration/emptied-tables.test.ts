import { Client } from 'pg';

import { createDatabase, TestDatabase } from '../support/databases.js';

/** Sessions of them take 80 pages: those of a table of few are read from end to end, which is as cheap. */
const ROWS = 500;

/** How each table is filled with rows that have expired, and how requests look one up. */
const TABLES = [
  {
    table: 'idempotency_keys',
    fill: `insert into idempotency_keys (caller, key, fingerprint, status, headers, json, created_at)
      select 'user:1', 'key ' || n, repeat('f', 64), 201, '{}', repeat('x', 900), now() - interval '2 days'
      from generate_series(1, ${ROWS}) n`,
    lookUp: `select json from idempotency_keys where caller = $1 and key = $2`,
    values: ['user:1', 'key 7'],
  },
  {
    table: 'sessions',
    fill: `insert into sessions (digest, login_id, expires_at)
      select sha256(n::text::bytea), (select id from logins), now() - interval '2 days' from generate_series(1, ${ROWS * 20}) n`,
    lookUp: `select login_id from sessions where digest = any((select $1::bytea[])::bytea[])`,
    values: ['{"\\\\x00","\\\\x01"}'],
  },
];

describe('a table whose rows have all expired', () => {
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await createDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      `with made as (insert into users (email, canonical_email, password_hash, name, role)
        values ('a@example.com', 'a@example.com', 'x', 'A', 'viewer') returning id)
       insert into logins (user_id, expires_at) select id, now() from made`,
    );
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  test.each(TABLES)('is read by its key where it is $table', async ({ table, fill, lookUp, values }) => {
    await client.query(fill);
    await client.query(`delete from ${table}`);
    await client.query(`vacuum ${table}`);
    const find = { name: `find in ${table}`, text: lookUp, values };
    for (let time = 0; time < 6; time++) await client.query(find);
    const { rows } = await client.query<{ reltuples: number }>(
      `select reltuples from pg_class where relname = $1`,
      [table],
    );
    expect(rows[0]?.reltuples).toBe(0);
    expect(await planOf(find.name, values)).toMatch(/Index/);
  });

  async function planOf(name: string, values: readonly string[]): Promise<string> {
    const given = values.map((value) => client.escapeLiteral(value)).join(', ');
    const { rows } = await client.query<Record<string, string>>(`explain execute "${name}" (${given})`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }
});
