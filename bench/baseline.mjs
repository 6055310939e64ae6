/**
 * The yardstick: Fastify and `pg` with nothing between them. One named prepared statement per request, a compiled
 * response schema, no authentication, no validation, no logging. It reads the same tables as the measured server.
 * Environment: DATABASE_URL, PORT, DATABASE_POOL_SIZE.
 */
import Fastify from 'fastify';
import pg from 'pg';
import { productRoutes } from './baseline/products.mjs';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE ?? 10),
});

/**
 * Runs one prepared statement; its name is what PostgreSQL remembers the plan by.
 * @param {string} name
 * @param {string} text
 * @param {unknown[]} values
 */
const query = async (name, text, values) => (await pool.query({ name, text, values })).rows;

const app = Fastify({ logger: false });
app.get('/health/ready', async () => ({ status: 'ok' }));
for (const routes of [productRoutes]) await app.register(routes, { query });
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });

process.once('SIGTERM', async () => {
  await app.close();
  await pool.end();
});
