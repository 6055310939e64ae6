import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually } from '@plinth/dev/testing';
import { Client } from 'pg';

import { codeBlocks, CORE_DOCS } from '../support/code-blocks.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { DebianPostgres, hasDebianPostgres } from '../support/debian-postgres.js';

/** A session that waits for a lock, and the session that has it. */
interface Blocked {
  readonly query: string;
  readonly blocked_by: number;
  readonly state: string;
  readonly last_query: string;
}

/** The blocks of a page that contain a text. @throws Error if the page has none */
function blocksWith(text: string, page: string): string[] {
  const found = codeBlocks(join(CORE_DOCS, page)).filter(({ code }) => code.includes(text));
  if (found.length === 0) throw new Error(`${page} has no block with ${text}`);
  return found.map(({ code }) => code);
}

describe('a statement of the page about alerts', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  it('finds the session that blocks another one, and what it did', async () => {
    const [sql = ''] = blocksWith('pg_blocking_pids', 'alerts.md');
    const [blocking, waiting] = [1, 2].map(() => new Client({ connectionString: database.url }));
    await Promise.all([blocking!.connect(), waiting!.connect()]);
    try {
      const { rows } = await blocking!.query<{ pid: number }>('select pg_backend_pid() as pid');
      await blocking!.query('begin');
      await blocking!.query('lock table products');
      const counted = waiting!.query('select count(*) from products');
      // Other tests use the same server.
      const found = async (): Promise<string> =>
        (await database.query<Blocked>(sql))
          .filter(({ blocked_by }) => blocked_by === rows[0]?.pid)
          .map(({ query, state, last_query }) => [query, state, last_query].join(' | '))
          .join();
      const expected = 'select count(*) from products | idle in transaction | lock table products';
      await eventually(found, expected, 20_000);
      await blocking!.query('rollback');
      await counted;
    } finally {
      await Promise.all([blocking!.end(), waiting!.end()]);
    }
  });

  it('says what takes the space of a disk', async () => {
    const [sql = ''] = blocksWith('pg_ls_waldir', 'alerts.md');
    const rows = await database.query<{ what: string; pg_size_pretty: string | null }>(sql);
    const name = new URL(database.url).pathname.slice(1);
    const sizeOf = (what: string) => rows.find((row) => row.what === what)?.pg_size_pretty;
    expect(sizeOf(`database ${name}`)).toMatch(/ [kMG]B$/);
    expect(sizeOf('write-ahead log')).toMatch(/ [MG]B$/);
    expect(rows.map(({ what }) => what)).toContain('temporary files');
  });
});

// CI installs it (Debian: `apt-get install jq`).
const describeWithJq = spawnSync('jq', ['--version']).status === 0 ? describe : describe.skip;

describeWithJq('a command of the page about alerts counts lines of the log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'service-alert-commands-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeAll(() => {
    const request = { level: 30, route: '/login', caller: null, address: '203.0.113.9', status: 401 };
    const lines = [
      'service serves http://127.0.0.1:3000/api/v1',
      ...[request, request, { ...request, address: '203.0.113.7' }, { ...request, status: 200 }].map((line) =>
        JSON.stringify(line),
      ),
      ...[7, 7, null].map((caller) => JSON.stringify({ ...request, caller, status: 429 })),
      'The service could not start',
    ];
    writeFileSync(join(folder, 'service.log'), lines.join('\n'));
  });

  it.each([
    ['401', ['2 /login 203.0.113.9', '1 /login 203.0.113.7']],
    ['429', ['2 7 203.0.113.9', '1 null 203.0.113.9']],
  ])('with the status %s, in a file with other lines', (status, expected) => {
    const [command = ''] = blocksWith(`.status == ${status}`, 'alerts.md');
    const output = execFileSync('bash', ['-o', 'pipefail', '-c', command], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(
      output
        .trim()
        .split('\n')
        .map((line) => line.trim()),
    ).toEqual(expected);
  });
});

// The extension requires the programs of a whole PostgreSQL (Debian: `apt-get install postgresql-15`). CI installs them.
const describeWithServer = hasDebianPostgres ? describe : describe.skip;

describeWithServer('the statistics of statements', () => {
  let server: DebianPostgres;
  beforeAll(async () => {
    server = await DebianPostgres.primary();
  });
  afterAll(() => server.remove());

  it('are set up and read by the commands of the page about PostgreSQL', async () => {
    const run = (command: string | undefined): string =>
      execFileSync('bash', ['-c', command ?? 'false'], {
        env: { ...process.env, ADMIN_URL: server.url },
        encoding: 'utf8',
      });
    const [load, create, read] = blocksWith('pg_stat_statements', 'postgresql.md');
    run(load);
    server.restart();
    run(create);
    const client = new Client({ connectionString: server.url });
    await client.connect();
    for (let i = 0; i < 3; i++) await client.query('select 1 as served');
    await client.end();
    const line = run(read)
      .split('\n')
      .find((row) => row.includes('as served'));
    expect(line?.split('|').map((cell) => cell.trim())).toEqual([
      '3',
      expect.stringMatching(/^\d+\.\d$/),
      expect.stringMatching(/^\d+$/),
      'select $1 as served',
    ]);
  });
});
