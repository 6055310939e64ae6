import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Config } from '@plinth/core';
import { Passwords } from '@plinth/core/auth';
import { PRODUCT, loadConfig, migrate } from '@plinth/core/dev';
import { DataSource } from 'typeorm';

import { withDataSource } from '../migrations/data-source.js';
import type { Demo, Kind, Seed } from '../seed/seed.js';
import { Command, log, readArguments } from './command.js';
import { withProjectDatabase } from './project-database.js';
import { buildProject, loadCompiled, loadMigrations } from './project.js';

const BATCH_ROWS = 5000;

async function usage(root: string): Promise<string> {
  // The kinds are unknown until the project is compiled.
  const { kinds, demo } = await loadSeed(root).catch(() => ({ kinds: { '<kind>': {} }, demo: undefined }));
  const options = Object.keys(kinds).map((name) => `[--${name} <n>]`);
  return `plinth seed ${options.join(' ')} [--seed <n>]${demo ? ' [--demo]' : ''} [--no-build]

Adds made-up rows to the database of DATABASE_URL or, if it is not set, to the embedded one. The service may be running.
Existing rows are kept, and new rows refer to them. The project's seed/seed.ts defines the kinds of rows.

  --seed <n>   starts the random numbers; the same number adds the same rows to the same database (default 1)${demo ? DEMO_USAGE : ''}
  --no-build   uses dist/ as it is`;
}

const DEMO_USAGE = `
  --demo       adds the rows that the examples of the OpenAPI document show, or restores them`;

const loadSeed = async (root: string): Promise<Seed> =>
  (await loadCompiled<{ default: Seed }>(root, 'seed/seed.js')).default;

async function run(root: string, args: readonly string[]): Promise<void> {
  buildProject(root, { 'no-build': args.includes('--no-build') });
  const seed = await loadSeed(root);
  const { start, isDemo, counts } = readOptions(args, seed);
  const config = loadConfig();
  const entities = [...Object.values(seed.kinds), seed.demo].flatMap((part) => part?.entities ?? []);
  const migrations = await loadMigrations(root);
  await withProjectDatabase(config, (url) =>
    withDataSource(url, { entities, statementTimeoutMs: STATEMENT_TIMEOUT_MS }, async (dataSource) => {
      await migrate(dataSource, migrations);
      if (isDemo && seed.demo) await addDemo(dataSource, seed.demo, config);
      seed.setRandomSeed(start);
      for (const [name, kind] of Object.entries(seed.kinds)) {
        const count = counts.get(name);
        if (count !== undefined) await addRows(dataSource, name, kind, count);
      }
    }),
  );
}

const STATEMENT_TIMEOUT_MS = 3_600_000;

function readOptions(args: readonly string[], { kinds, demo }: Seed) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { values, positionals } = readArguments(args, {
    ...Object.fromEntries(Object.keys(kinds).map((name) => [name, text])),
    ...(demo ? { demo: flag } : {}),
    seed: text,
    'no-build': flag,
  });
  const { demo: isDemo = false, seed = '1', 'no-build': _, ...given } = values as Record<string, string>;
  const wrong = Object.entries({ ...given, seed }).find(([, count]) => !/^[1-9]\d{0,7}$/.test(count));
  if (wrong) throw new Error(`--${wrong[0]} must be a whole number from 1 to 99999999 (got ${wrong[1]}).`);
  if (positionals.length > 0 || (!isDemo && Object.keys(given).length === 0))
    throw new Error(
      `Say how many rows of which kind to add, such as plinth seed --${Object.keys(kinds)[0] ?? ''} 100; see --help.`,
    );
  const counts = new Map(Object.entries(given).map(([name, count]) => [name, Number(count)]));
  return { start: Number(seed), isDemo: Boolean(isDemo), counts };
}

async function addRows(dataSource: DataSource, name: string, kind: Kind, count: number): Promise<void> {
  const { manager } = dataSource;
  const prepared = await kind.prepare?.(manager);
  const password = `${PRODUCT.slug}-demo-password`;
  const passwordHash = kind.hasPassword ? await new Passwords().hash(password) : '';
  const begin = performance.now();
  const tables = kind.entities.map((entity) => dataSource.getMetadata(entity).tableName);
  const [last] = await dataSource.query<{ id: number }[]>(`select max(id)::float8 as id from ${tables[0]}`);
  let made = 0;
  for (let added = -1; made < count && added !== 0; made += added) {
    const batch = { prepared, passwordHash, made, count, lastId: last?.id ?? 0 };
    added = await kind.add(manager, Math.min(BATCH_ROWS, count - made), batch);
  }
  await dataSource.query(`vacuum (analyze) ${tables.join(', ')}`);
  log(`added ${made.toLocaleString('en')} ${name} in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  if (kind.hasPassword) log(`the password of each new user is ${password}`);
  if (made < count)
    throw new Error(
      `Added only ${made} of ${count} ${name}, because no more fit. First add rows of the kinds that they refer to.`,
    );
}

/** Prints the password if standard error is a terminal. Otherwise, writes it to a file that only its owner can read. */
async function addDemo(dataSource: DataSource, demo: Demo, { dataDir }: Config): Promise<void> {
  const password = randomBytes(15).toString('base64url');
  await demo.add(dataSource, await new Passwords().hash(password));
  log('added the demo data, with these users:');
  for (const { email, role, id } of demo.users) log(`  ${email.padEnd(20)} ${role}, id ${id}`);
  if (process.stderr.isTTY) return void log(`the password of each is ${password}  (it is not shown again)`);
  mkdirSync(dataDir, { recursive: true });
  const path = resolve(join(dataDir, 'demo-password'));
  writeFileSync(path, `${password}\n`, { mode: 0o600 });
  log(`the password of each is in ${path}  (delete the file when you have read it)`);
}

export const command: Command = { usage, run };
