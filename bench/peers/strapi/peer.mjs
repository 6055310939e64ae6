import { createHash } from 'node:crypto';
import { ask, jsonRequest, PAGE_SIZE, SECRET, startPeer, withQuery } from '../peer.mjs';

const USER = { username: 'bench', email: 'bench@example.com', password: 'only-for-the-benchmark' };

/** Strapi names rows by 24 characters of its own; those of the imported ones follow from their ids. */
const documentId = (id) => createHash('md5').update(String(id)).digest('hex').slice(0, 24);

const IMPORT = `insert into strapi.products
    (id, document_id, name, price, category, in_stock, rating, created_at, updated_at, published_at)
  select id, left(md5(id::text), 24), name, price, category, in_stock, rating,
    created_at at time zone 'UTC', updated_at at time zone 'UTC', created_at at time zone 'UTC'
  from public.products`;

/** @type {import('../peer.mjs').Peer} */
export const strapi = {
  name: 'strapi',
  title: 'Strapi',
  packages: ['@strapi/strapi'],
  documented:
    'a project of `create-strapi` (JavaScript, PostgreSQL) with a collection type and the core controller, service and router; ' +
    'signed-in users (Users & Permissions, JWT) may find and create products; one log line a request',
  differs:
    'it has a table of its own, in a schema of its own, with the same rows and the indexes that it makes, to which two are added: by price ' +
    'within a category, and by time of creation; draft and publish is off; the limit on logins is off, and the refresh token comes in the body, not in a cookie that asks for HTTPS; the admin panel is not served',
  start: async (place, client, installed) => {
    await client.query('create schema strapi');
    const server = await startPeer(place, strapi, installed, {
      command: ['node_modules/@strapi/strapi/bin/strapi.js', 'start'],
      settings: {
        DATABASE_CLIENT: 'postgres',
        DATABASE_SCHEMA: 'strapi',
        APP_KEYS: `${SECRET}-1,${SECRET}-2`,
        API_TOKEN_SALT: SECRET,
        ADMIN_JWT_SECRET: SECRET,
        TRANSFER_TOKEN_SALT: SECRET,
        ENCRYPTION_KEY: SECRET,
        JWT_SECRET: SECRET,
        STRAPI_TELEMETRY_DISABLED: 'true',
      },
      ready: '/_health',
    });
    await client.query(IMPORT);
    await client.query("select setval('strapi.products_id_seq', (select max(id) from strapi.products))");
    await client.query('create index on strapi.products (category, price, id)');
    await client.query('create index on strapi.products (created_at, id)');
    await client.query('vacuum analyze strapi.products');
    await ask(server, jsonRequest('/api/auth/local/register', USER));
    return server;
  },
  logIn: async (server) => {
    const { email, password } = USER;
    return (await ask(server, jsonRequest('/api/auth/local', { identifier: email, password }))).jwt;
  },
  dialect: {
    get: ({ id }) => ({ path: `/api/products/${documentId(id)}` }),
    page: ({ page }) => ({
      path: withQuery('/api/products', { ...range(page), 'sort[0]': 'createdAt:desc', 'sort[1]': 'id:desc' }),
    }),
    filtered: ({ category, page }) => ({
      path: withQuery('/api/products', {
        ...range(page),
        'filters[category][$eq]': category,
        'filters[inStock][$eq]': 'true',
        'sort[0]': 'price:asc',
        'sort[1]': 'id:asc',
      }),
    }),
    create: (product) => jsonRequest('/api/products', { data: product }),
    created: 201,
    itemOf: ({ data }) => data,
    listOf: ({ data, meta }) => ({ rows: data, total: meta.pagination.total }),
  },
  removeCreated: async (client, lastProduct) => {
    const { rowCount } = await client.query('delete from strapi.products where id > $1', [lastProduct]);
    if (rowCount > 0) await client.query('vacuum analyze strapi.products');
  },
};

const range = (page) => ({ 'pagination[page]': page, 'pagination[pageSize]': PAGE_SIZE });
