import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { commandEnvironment } from '../../servers.mjs';
import { ask, jsonRequest, PAGE_SIZE, SECRET, startPeer, withQuery } from '../peer.mjs';

const USER = { email: 'bench@example.com', password: 'only-for-the-benchmark' };

/** @type {import('../peer.mjs').Peer} */
export const feathers = {
  name: 'feathers',
  title: 'FeathersJS, Koa, Knex',
  packages: ['@feathersjs/feathers', '@feathersjs/koa', '@feathersjs/knex', 'knex'],
  documented:
    'what `feathers generate app`, `authentication` and `service` write (JavaScript, Koa, REST, TypeBox, PostgreSQL; local ' +
    'strategy and JWT, which looks the user up for each request); it logs no requests',
  differs:
    'the schema of products names columns of the table that is there; users are in a PostgreSQL schema of its own; rows are ' +
    'answered with all columns, four more than the others show',
  start: async (place, client, installed) => {
    await client.query('create schema feathers');
    const env = { ...commandEnvironment(place.databaseUrl), NODE_ENV: 'production', FEATHERS_SECRET: SECRET };
    const options = { cwd: installed.folder, env };
    await promisify(execFile)(installed.node, ['node_modules/knex/bin/cli.js', 'migrate:latest'], options);
    const server = await startPeer(place, feathers, installed, {
      command: ['src'],
      settings: { FEATHERS_SECRET: SECRET },
      ready: '/',
    });
    await ask(server, jsonRequest('/users', USER));
    return server;
  },
  logIn: async (server) => {
    const body = await ask(server, jsonRequest('/authentication', { strategy: 'local', ...USER }));
    return body.accessToken;
  },
  dialect: {
    get: ({ id }) => ({ path: `/products/${id}` }),
    page: ({ page }) => ({
      path: withQuery('/products', { ...range(page), '$sort[created_at]': -1, '$sort[id]': -1 }),
    }),
    filtered: ({ category, page }) => ({
      path: withQuery('/products', {
        category,
        in_stock: 'true',
        ...range(page),
        '$sort[price]': 1,
        '$sort[id]': 1,
      }),
    }),
    create: (product) => jsonRequest('/products', product),
    created: 201,
    itemOf: (body) => body,
    listOf: ({ data, total }) => ({ rows: data, total }),
  },
};

const range = (page) => ({ $limit: PAGE_SIZE, $skip: (page - 1) * PAGE_SIZE });
