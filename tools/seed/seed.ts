import 'reflect-metadata';

import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { faker } from '@faker-js/faker';
import { Config } from '@plinth/core';
import { Passwords } from '@plinth/core/auth';
import { PRODUCT, dataSourceOptions, loadConfig, migrate } from '@plinth/core/dev';
import { openEmbeddedDatabase } from '@plinth/dev/embedded-database';
import { DataSource } from 'typeorm';

import { MIGRATIONS } from '../../src/migrations/migrations.js';
import { Product } from '../../src/products/product.entity.js';
import { User } from '../../src/users/user.entity.js';
import { DEMO_ENTITIES, DEMO_USERS, seedDemo } from './demo.js';
import { Kind, KINDS } from './rows.js';

const USAGE = `npm run seed -- [--products <n>] [--users <n>] [--orders <n>] [--reviews <n>] [--seed <n>] [--demo]

Adds made-up rows to the database: that of DATABASE_URL, else the embedded one, whether the service runs or not. What is
there stays; orders and reviews refer to it and to what is added with them. The same --seed makes the same rows (1).
--demo adds what the examples of the OpenAPI document show, or puts it back as it was.`;

const BATCH = 5000;
/** Rows that others refer to. */
const SAMPLE = 100_000;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

function readOptions() {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      products: text,
      users: text,
      orders: text,
      reviews: text,
      seed: text,
      demo: { type: 'boolean' },
    },
  });
  const { demo = false, seed, ...counts } = values;
  const given = [...Object.values(counts), seed ?? '1'];
  const isSomething = demo || Object.keys(counts).length > 0;
  if (!isSomething || given.some((count) => !/^[1-9]\d{0,7}$/.test(count))) throw new Error(USAGE);
  return { demo, seed: Number(seed ?? 1), counts };
}

async function main(): Promise<void> {
  const { demo, seed, counts } = readOptions();
  const config = loadConfig();
  const url = config.database.url ?? (await embeddedUrl(config));
  const dataSource = new DataSource({
    ...dataSourceOptions(url, { poolSize: 2, statementTimeoutMs: 3_600_000 }),
    entities: [...DEMO_ENTITIES],
  });
  await dataSource.initialize();
  try {
    await migrate(dataSource, MIGRATIONS);
    if (demo) await addDemo(dataSource, config);
    faker.seed(seed);
    for (const [name, kind] of Object.entries(KINDS)) {
      const count = Number(counts[name as keyof typeof KINDS] ?? 0);
      if (count > 0) await add(dataSource, name, kind, count);
    }
  } finally {
    await dataSource.destroy();
  }
}

/** An embedded server that is started here is stopped at the end. */
async function embeddedUrl({ dataDir }: Config): Promise<string> {
  const database = await openEmbeddedDatabase({ directory: join(dataDir, 'database'), log: say });
  atEnd = () => database.stop();
  return database.url;
}
let atEnd = (): Promise<unknown> => Promise.resolve();

async function add(dataSource: DataSource, name: string, kind: Kind, count: number): Promise<void> {
  const { manager } = dataSource;
  const sample = { order: { id: 'ASC' }, take: SAMPLE } as const;
  const select = { id: true, name: true, price: true } as const;
  const products = kind.refers ? await manager.find(Product, { select, ...sample }) : [];
  const users = kind.refers ? await manager.find(User, { select: { id: true }, ...sample }) : [];
  if (kind.refers && (products.length === 0 || users.length === 0))
    throw new Error(`${name} need products and users: add --products 100 --users 100, say`);
  const begin = performance.now();
  const tables = kind.entities.map((entity) => dataSource.getMetadata(entity).tableName);
  const [last] = await dataSource.query<{ id: number }[]>(`select max(id)::int as id from ${tables[0]}`);
  const lastId = last?.id ?? 0;
  const passwordHash = name === 'users' ? await new Passwords().hash(`${PRODUCT.slug}-demo-password`) : '';
  let made = 0;
  for (let added = -1; made < count && added !== 0; made += added) {
    const input = { made, count, lastId, passwordHash, products, users };
    added = await kind.add(manager, Math.min(BATCH, count - made), input);
  }
  await dataSource.query(`vacuum (analyze) ${tables.join(', ')}`);
  say(`added ${made.toLocaleString('en')} ${name} in ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  if (passwordHash) say(`the password of each is ${PRODUCT.slug}-demo-password`);
  if (made < count)
    throw new Error(`there was room for ${made} of ${count} ${name} only: add --users or --products`);
}

/** The password goes to the terminal or, where there is none, to a file that only its owner reads. */
async function addDemo(dataSource: DataSource, { dataDir }: Config): Promise<void> {
  const password = randomBytes(15).toString('base64url');
  await seedDemo(dataSource, await new Passwords().hash(password));
  say('added the demo data, with these users:');
  for (const { email, role, id } of DEMO_USERS) say(`  ${email.padEnd(20)} ${role}, id ${id}`);
  if (process.stderr.isTTY) return void say(`the password of each: ${password}  (shown this once)`);
  mkdirSync(dataDir, { recursive: true });
  const path = resolve(join(dataDir, 'demo-password'));
  writeFileSync(path, `${password}\n`, { mode: 0o600 });
  say(`the password of each is in ${path}  (delete the file when you have read it)`);
}

// An embedded server that was started here ends with an orderly exit only.
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

try {
  await main();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await atEnd();
}
