/**
 * The baseline of the benchmark: Fastify and `pg` with nothing between them. It uses one named prepared statement for a
 * read, a transaction of such statements for an order, and compiled response schemas. It has no authentication, no
 * validation and no logging. It reads the same tables as the measured server. Environment: DATABASE_URL, PORT,
 * DATABASE_POOL_SIZE.
 */
import Fastify from 'fastify';
import pg from 'pg';
import { IDS_AS_NUMBERS } from '../scripts/lib/ids-as-numbers.mjs';
import { orderRoutes } from './baseline/orders.mjs';
import { productRoutes } from './baseline/products.mjs';
import { reviewRoutes } from './baseline/reviews.mjs';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  types: IDS_AS_NUMBERS,
  max: Number(process.env.DATABASE_POOL_SIZE ?? 10),
});

/**
 * Runs a prepared statement. PostgreSQL caches its plan under its name.
 * @param {string} name
 * @param {string} text
 * @param {unknown[]} values
 */
const query = async (name, text, values) => (await pool.query({ name, text, values })).rows;

/**
 * @template T
 * @param {(query: typeof query) => Promise<T>} work called with a `query` on the connection of the transaction
 * @returns {Promise<T>} the result of `work`, after the commit
 */
async function transaction(work) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(
      async (name, text, values) => (await client.query({ name, text, values })).rows,
    );
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const app = Fastify({ logger: false });
app.get('/health/ready', async () => ({ status: 'ok' }));
for (const routes of [productRoutes, orderRoutes, reviewRoutes]) {
  await app.register(routes, { query, transaction });
}
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });

process.once('SIGTERM', async () => {
  await app.close();
  await pool.end();
});
