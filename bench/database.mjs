/** The database that both servers read: opened, seeded by our own command, pinned, and left as it was. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { IDS_AS_NUMBERS } from '../scripts/lib/ids-as-numbers.mjs';
import { seedCustomers } from './customers.mjs';
import { commandOf, parentOf, pinTree } from './pinning.mjs';
import { commandEnvironment, root } from './servers.mjs';

/** The name of the API keys that are made for a measurement. */
export const BENCH_KEY = 'benchmark';

const EMBEDDED = 'packages/dev/dist/embedded-postgres';

/** What a product takes with its share of the indexes, about. */
const PRODUCT_BYTES = 1_000;
/** PostgreSQL's manual (19.4.1) advises against giving it more of a machine's memory. */
const MOST_OF_MEMORY = 0.4;

/**
 * Runs an embedded PostgreSQL under the directory, or takes the one that BENCH_DATABASE_URL names.
 * @param {{ directory: string, isKept: boolean, products: number }} where its files are, whether they stay after
 *   `close`, and how many products it has room for in its memory
 * @param {(line: string) => void} log
 * @returns {Promise<{ url: string, stays: boolean, isShared: boolean, close: () => Promise<void> }>} shared: what runs
 *   it is not ours to stop
 */
export async function openDatabase({ directory, isKept, products }, log) {
  const given = process.env.BENCH_DATABASE_URL;
  if (given) return { url: given, stays: true, isShared: true, close: async () => {} };
  if (!existsSync(root(EMBEDDED))) throw new Error(`${EMBEDDED} is missing: build first (npm run build).`);
  const { openEmbeddedDatabase, removeEmbeddedDatabase } = await import(
    `../${EMBEDDED}/embedded-database.js`
  );
  const folder = join(directory, 'postgres');
  const open = () => openEmbeddedDatabase({ directory: folder, log });
  const first = await open();
  await setMemory(first.url, sharedMegabytes(products));
  await first.stop();
  // Its memory changes with a start.
  const { url, stop } = await open();
  const close = () => stop().then(() => (isKept ? undefined : removeEmbeddedDatabase(folder)));
  return { url, stays: isKept, isShared: false, close };
}

async function setMemory(url, megabytes) {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`alter system set shared_buffers = '${megabytes}MB'`);
  await client.end();
}

function sharedMegabytes(products) {
  const wanted = Math.min(products * PRODUCT_BYTES, totalmem() * MOST_OF_MEMORY);
  return Math.max(128, Math.ceil(wanted / 2 ** 20));
}

/**
 * Reads tables and indexes into PostgreSQL's memory, where a server that has run for a while has them.
 * @param {pg.Client} client on a database of our own
 */
export async function fillMemory(client) {
  await client.query('create extension if not exists pg_prewarm');
  await client.query(
    `select pg_prewarm(oid) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`,
  );
}

/** @param {string} url @returns {Promise<pg.Client>} */
export async function connect(url) {
  const client = new pg.Client({ connectionString: url, types: IDS_AS_NUMBERS });
  client.on('error', () => {}); // the next query tells
  await client.connect();
  return client;
}

/**
 * Seeds products by `plinth seed` where there are none, and customers with orders and reviews where ours are not there yet.
 * @param {pg.Client} client
 * @param {{ url: string, directory: string }} place the command's database and working directory
 * @param {number} products
 */
export async function seed(client, { url, directory }, products) {
  const { rows } = await client.query('select exists (select from products) as "isSeeded"');
  if (!rows[0].isSeeded) {
    const command = [root('packages/dev/dist/cli/plinth.js'), 'seed', '--no-build'];
    execFileSync(process.execPath, [...command, '--products', String(products)], {
      cwd: root('.'),
      env: { ...commandEnvironment(url), DATA_DIR: directory },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  await seedCustomers(client);
  await tidy(client);
}

/**
 * What the cases choose their requests from.
 * @param {pg.Client} client
 */
export async function readSubjects(client) {
  const column = async (text) =>
    (await client.query({ text, rowMode: 'array' })).rows.map(([value]) => value);
  const [products] = await column('select count(*)::int from products');
  const ids = await column('select id from products order by random() limit 100000');
  const { rows: categories } = await client.query(
    `select category as name, count(*)::int as products from products
     where category is not null and in_stock group by category having count(*) >= 20 order by category`,
  );
  const inStock = await column('select id from products where in_stock order by random() limit 20000');
  const pagesOf = (owner, table) =>
    column(
      `select ${owner} from ${table} group by ${owner} having count(*) >= 40 order by random() limit 5000`,
    );
  const customers = await pagesOf('user_id', 'orders');
  const reviewed = await pagesOf('product_id', 'reviews');
  return { products, ids, inStock, categories, customers, reviewed };
}

/**
 * Where the tables end: what comes later was made by the cases.
 * @param {pg.Client} client
 * @returns {Promise<{ product: number, order: number, key: string }>}
 */
export async function readEnds(client) {
  const { rows } = await client.query(
    `select coalesce((select max(id) from products), 0) as product, coalesce((select max(id) from orders), 0) as "order",
       coalesce((select max(created_at) from idempotency_keys), '-infinity')::text as key`,
  );
  return rows[0];
}

/**
 * Removes what a case made, so that every case finds the same tables.
 * @param {pg.Client} client
 * @param {Awaited<ReturnType<typeof readEnds>>} ends
 */
export async function removeCreated(client, { product, order, key }) {
  const removals = [
    ['delete from idempotency_keys where created_at > $1', key],
    ['delete from orders where id > $1', order], // and their items
    ['delete from products where id > $1', product],
  ];
  await client.query(`delete from api_keys where name = '${BENCH_KEY}'`);
  let removed = 0;
  for (const [text, end] of removals) removed += (await client.query(text, [end])).rowCount;
  if (removed > 0) await tidy(client);
}

async function tidy(client) {
  await client.query('vacuum analyze products, users, orders, order_items, reviews, idempotency_keys');
  await client.query('checkpoint').catch(() => {}); // needs a role that an own database may not give
}

/**
 * The process that all others of PostgreSQL are children of.
 * @param {pg.Client} client
 * @returns {Promise<number | null>} null: PostgreSQL runs on another machine, or in another container
 */
export async function postmasterOf(client) {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const postmaster = parentOf(rows[0].pid);
  return [rows[0].pid, postmaster].every((pid) => commandOf(pid).startsWith('postgres')) ? postmaster : null;
}

/**
 * Pins the whole server; connections made later inherit it.
 * @param {pg.Client} client
 * @param {string} cpus
 * @returns {Promise<string | null>} why it could not be pinned
 */
export async function pinDatabase(client, cpus) {
  const postmaster = await postmasterOf(client);
  if (postmaster === null) return 'PostgreSQL runs elsewhere and is not pinned';
  pinTree(postmaster, cpus);
  return null;
}
