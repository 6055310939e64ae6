import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { commandEnvironment } from '../../servers.mjs';
import { ask, jsonRequest, PAGE_SIZE, SECRET, startPeer, withQuery } from '../peer.mjs';

const ADMIN = { email: 'admin@example.com', password: 'only-for-the-benchmark' };
const USER = { email: 'bench@example.com', password: 'only-for-the-benchmark' };
const FIELDS = 'id,name,price,category,in_stock,rating,created_at,updated_at';
const CLI = 'node_modules/directus/cli.js';

const settings = ({ databaseUrl, directory }) => ({
  DB_CLIENT: 'pg',
  DB_CONNECTION_STRING: databaseUrl,
  SECRET,
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  STORAGE_LOCAL_ROOT: directory,
  EXTENSIONS_PATH: directory,
  TELEMETRY: 'false',
  LOG_STYLE: 'raw',
  PRESSURE_LIMITER_ENABLED: 'false',
});

/** @type {import('../peer.mjs').Peer} */
export const directus = {
  name: 'directus',
  title: 'Directus',
  packages: ['directus'],
  minimumNode: 24,
  documented:
    '`directus bootstrap` and `directus start` on the tables that are there; products are a collection, and a role with a policy ' +
    'may read and create them; local login and JWT; requests name the fields that they want (`fields`); one log line a request',
  differs:
    'it runs on the Node.js 24 of npm where that of the run is older; log lines are JSON, not coloured (`LOG_STYLE=raw`); the limiter that refuses ' +
    'requests under load is off, as refusals are no answers; a newer release of `isolated-vm`, which runs scripts of flows, comes built; ' +
    'what is created is noted in its table of activity, as it does for every collection',
  start: async (place, _client, installed) => {
    const env = { ...commandEnvironment(place.databaseUrl), NODE_ENV: 'production', ...settings(place) };
    await promisify(execFile)(installed.node, [CLI, 'bootstrap'], { cwd: installed.folder, env });
    const server = await startPeer(place, directus, installed, {
      command: [CLI, 'start'],
      settings: settings(place),
      ready: '/server/ping',
    });
    await openProducts(server);
    return server;
  },
  logIn: (server) => tokenOf(server, USER),
  dialect: {
    get: ({ id }) => ({ path: withQuery(`/items/products/${id}`, { fields: FIELDS }) }),
    page: ({ page }) => ({
      path: withQuery('/items/products', { ...range(page), sort: '-created_at,-id', meta: 'filter_count' }),
    }),
    filtered: ({ category, page }) => ({
      path: withQuery('/items/products', {
        ...range(page),
        'filter[category][_eq]': category,
        'filter[in_stock][_eq]': 'true',
        sort: 'price,id',
        meta: 'filter_count',
      }),
    }),
    create: (product) => jsonRequest(withQuery('/items/products', { fields: FIELDS }), product),
    created: 200,
    itemOf: ({ data }) => data,
    listOf: ({ data, meta }) => ({ rows: data, total: meta.filter_count }),
  },
};

const range = (page) => ({ fields: FIELDS, limit: PAGE_SIZE, page });

const tokenOf = async (server, login) =>
  (await ask(server, jsonRequest('/auth/login', login))).data.access_token;

/** What an administrator does in the app: the table becomes a collection, and a role may read and create its rows. */
async function openProducts(server) {
  const token = await tokenOf(server, ADMIN);
  const post = async (path, body) => (await ask(server, jsonRequest(path, body), token)).data;
  await ask(server, { ...jsonRequest('/collections/products', { meta: {} }), method: 'PATCH' }, token);
  const role = await post('/roles', { name: 'Benchmark' });
  const policy = await post('/policies', { name: 'Products', roles: [{ role: role.id }] });
  for (const action of ['read', 'create'])
    await post('/permissions', {
      policy: policy.id,
      collection: 'products',
      action,
      fields: ['*'],
      permissions: {},
      validation: {},
    });
  await post('/users', { ...USER, role: role.id });
}
