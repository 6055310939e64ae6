import { ask, jsonRequest, PAGE_SIZE, SECRET, startPeer, withQuery } from '../peer.mjs';

/** @type {import('../peer.mjs').Peer} */
export const nestjs = {
  name: 'nestjs',
  title: 'NestJS, Express, TypeORM',
  packages: ['@nestjs/core', '@nestjs/platform-express', 'typeorm', 'express'],
  documented:
    'the chapters Authentication (a global guard with `JwtService`, users in memory), Database (`TypeOrmModule`, an injected ' +
    'repository, `findAndCount`), Validation (the global `ValidationPipe`, DTOs); the default logger, which logs no requests',
  differs: 'tokens are good for a day, not for a minute; the entity names columns of the table that is there',
  start: (place, _client, installed) =>
    startPeer(place, nestjs, installed, {
      command: ['dist/main.js'],
      settings: { JWT_SECRET: SECRET },
      ready: '/',
    }),
  logIn: async (server) => {
    const body = await ask(server, jsonRequest('/auth/login', { username: 'john', password: 'changeme' }));
    return body.access_token;
  },
  dialect: {
    get: ({ id }) => ({ path: `/products/${id}` }),
    page: ({ page }) => ({ path: withQuery('/products', { page, limit: PAGE_SIZE }) }),
    filtered: ({ category, page }) => ({
      path: withQuery('/products', { category, inStock: 'true', sort: 'price', page, limit: PAGE_SIZE }),
    }),
    create: (product) => jsonRequest('/products', product),
    created: 201,
    itemOf: (body) => body,
    listOf: ({ data, total }) => ({ rows: data, total }),
  },
};
