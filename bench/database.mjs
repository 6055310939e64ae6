/** The database of both servers. This opens it, seeds it, pins it to cores, and removes the rows that cases create. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { IDS_AS_NUMBERS } from '../scripts/lib/ids-as-numbers.mjs';
import { seedCustomers } from './customers.mjs';
import { commandOf, parentOf, pinTree } from './pinning.mjs';
import { commandEnvironment, root } from './servers.mjs';

/** The name of the API keys that cases create. */
export const BENCH_KEY = 'benchmark';

const EMBEDDED = 'packages/dev/dist/embedded-postgres';

/** The approximate size of a product, including its index entries. */
const PRODUCT_BYTES = 1_000;
/** PostgreSQL's manual (19.4.1) advises against more than this share of a machine's memory. */
const MOST_OF_MEMORY = 0.4;

/**
 * Starts an embedded PostgreSQL in the directory, or uses the one that BENCH_DATABASE_URL names.
 * @param {{ directory: string, isKept: boolean, products: number }} where the folder of its files, whether `close` keeps
 *   them, and how many products must fit in its memory
 * @param {(line: string) => void} log
 * @returns {Promise<{ url: string, stays: boolean, isShared: boolean, close: () => Promise<void> }>} shared: the
 *   server is not ours, so it is not stopped
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
  // Restarts the server, because it sets up its memory only at start.
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
 * Reads tables and indexes into PostgreSQL's memory, as in a server that has run for a while.
 * @param {pg.Client} client a connection to our own database
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
  client.on('error', () => {}); // the next query fails
  await client.connect();
  return client;
}

/**
 * Seeds products with `plinth seed`, and our customers with their orders and reviews, unless they exist.
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
 * Reads the rows that the cases use in their requests.
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
 * Reads the last rows of the tables. Later rows are created by cases.
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
 * Removes the rows that a case created, so that every case finds the same tables.
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
  // Bulk statements leave changes of totals behind, which some hundred ordinary writes would add to the sums.
  for (const table of ['products', 'orders', 'reviews']) await client.query(`select ${table}_totals_fold()`);
  await client.query('vacuum analyze products, users, orders, order_items, reviews, idempotency_keys');
  await client.query('checkpoint').catch(() => {}); // needs a role that the user of BENCH_DATABASE_URL may not have
}

/**
 * Returns the id of PostgreSQL's main process, the parent of all its others.
 * @param {pg.Client} client
 * @returns {Promise<number | null>} null: PostgreSQL runs on another machine, or in another container
 */
export async function postmasterOf(client) {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const postmaster = parentOf(rows[0].pid);
  return [rows[0].pid, postmaster].every((pid) => commandOf(pid).startsWith('postgres')) ? postmaster : null;
}

/**
 * Pins the whole server to cores. Later connections inherit this.
 * @param {pg.Client} client
 * @param {string} cpus
 * @returns {Promise<string | null>} why it could not be pinned
 */
export async function pinDatabase(client, cpus) {
  const postmaster = await postmasterOf(client);
  if (postmaster === null) return 'PostgreSQL runs on another machine and is not pinned';
  pinTree(postmaster, cpus);
  return null;
}
