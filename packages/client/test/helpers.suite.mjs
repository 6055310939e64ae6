import { InfiniteQueryObserver, MutationObserver, QueryClient } from '@tanstack/query-core';
import { queriesOf } from '@plinth/client/react-query';
import { edit, isError, token } from '../../../client/dist/esm/index.js';
import { each, equal, ok, rejection } from './assert.mjs';

/** Tests of helpers for pages and for programs that handle many rows: client-side limits, forms, TanStack Query. */
export const tests = {
  'keepToRate avoids refused requests, even if other clients use up the limit': async (context) => {
    const { id } = await context.newProduct(context.asAdmin().client);
    const operations = Array.from({ length: 40 }, () => ({ method: 'update', id, body: {} }));
    const keeping = () => context.asAdmin({ keepToRate: true, retries: 0, maxRetryDelayMs: 0 });
    const batches = ({ client }) =>
      Promise.all([1, 2, 3, 4].map(() => client.products.batch({ operations })));
    const one = keeping();
    await batches(one);
    await Promise.all(Array.from({ length: 110 }, () => one.client.users.me()));
    equal(each(one.sent, 'status'), Array(115).fill(200), 'the statuses of the login, batches and reads');
    await Promise.all([one, keeping()].map(batches));
  },

  'concurrency limits parallel requests, and a signal ends the wait of its own request only': async ({
    admin,
    recorded,
  }) => {
    let [active, most] = [0, 0];
    const slow = (url, init) => {
      most = Math.max(most, ++active);
      return fetch(url, init).finally(() => active--);
    };
    const { client } = recorded({ auth: token(admin), concurrency: 2, fetch: slow });
    await client.users.me();
    const controller = new AbortController();
    const requests = Array.from({ length: 8 }, (_, index) =>
      client.users.me(index % 3 === 2 ? { signal: controller.signal } : {}),
    );
    controller.abort(new Error('the page is left'));
    const outcomes = await Promise.allSettled(requests);
    equal(
      outcomes.filter(({ status }) => status === 'fulfilled').length,
      6,
      'the number of requests that succeed',
    );
    equal(most, 2, 'the maximum of concurrent requests');
  },

  'onUnauthenticated is called when a login has ended, not when one fails': async ({ recorded, newUser }) => {
    const user = await newUser();
    const ended = [];
    const { client } = recorded({ auth: token(), onUnauthenticated: ({ code }) => ended.push(code) });
    await rejection(client.login({ email: user.email, password: 'wrong password' }));
    await client.login(user);
    await client.logout();
    equal(ended, []);
    await rejection(client.users.me());
    equal(ended, ['AUTHENTICATION_REQUIRED']);
  },

  'edit() writes only changed fields, under the tag of the row that is shown': async ({
    asAdmin,
    newProduct,
  }) => {
    const { client, sent } = asAdmin();
    const { id } = await newProduct(client, { price: 10 });
    const form = edit(await client.products.get(id), (fields, options) =>
      client.products.patch(id, fields, options),
    );
    const { name } = form.shown.data;
    await form.save({ name, price: 10 });
    ok(!sent.some(({ method }) => method === 'PATCH'), 'nothing is written if no field differs');
    equal((await form.save({ name, price: 11 })).data.price, 11);
    equal((await form.save({ price: 12 })).data.price, 12, 'the price, with the tag of the first write');
    const both = await Promise.all([form.save({ name: `${name} 2` }), form.save({ price: 14 })]);
    equal(both[1].data.price, 14, 'the price, saved together with another field');
    const row = (await client.products.list({ id: [id] })).data[0];
    const ofRow = edit({ data: row, etag: form.shown.etag }, (fields, options) =>
      client.products.patch(id, fields, options),
    );
    equal((await ofRow.save({ price: 15 })).data.price, 15, 'the price, from a row of a list');
    await asAdmin().client.products.patch(id, { price: 777 });
    const error = await rejection(form.save({ price: 13 }));
    ok(isError(error, 'PRECONDITION_FAILED'), String(error));
    equal((await client.products.get(id)).data.price, 777, 'the price that the other client wrote');
  },

  'edit() repeats a save if only read-only fields have changed since': async ({ asAdmin, newProduct }) => {
    const { client, sent } = asAdmin();
    const { id, name } = await newProduct(client, { price: 10 });
    const form = edit(await client.products.get(id), (fields, options) =>
      client.products.patch(id, fields, options),
    );
    const other = asAdmin().client;
    await other.reviews.create(id, { rating: 4 });
    equal((await form.save({ price: 11 })).data, { ...form.shown.data, price: 11, rating: 4 });
    equal(each(sent.slice(-3), 'status'), [412, 200, 200], 'the statuses of the last requests');
    // A changed writable field is a conflict, even if the form does not show it.
    await other.products.patch(id, { name: `${name} 2` });
    const error = await rejection(form.save({ price: 12 }));
    ok(isError(error, 'PRECONDITION_FAILED'), String(error));
    const { data } = await client.products.get(id);
    equal([data.name, data.price], [`${name} 2`, 11], 'the values that the other client wrote');
  },

  'CSV begins with a byte order mark, so that Excel reads all letters': async ({
    asAdmin,
    newProduct,
    unique,
  }) => {
    const { client } = asAdmin();
    const category = unique('csv');
    await newProduct(client, { category, name: 'Löffel' });
    const { data } = await client.request('GET', '/api/v1/products', {
      query: { category },
      headers: { Accept: 'text/csv' },
    });
    const bytes = new Uint8Array(await new Blob(['\uFEFF', data], { type: 'text/csv' }).arrayBuffer());
    equal([...bytes.slice(0, 3)], [0xef, 0xbb, 0xbf], 'the first bytes of the file');
    ok(new TextDecoder().decode(bytes).includes('Löffel'), 'the file contains the name');
  },

  'queries, infinite queries and mutations run in TanStack Query': async ({
    asAdmin,
    unique,
    newProduct,
  }) => {
    const { client } = asAdmin();
    const cache = new QueryClient();
    const queries = queriesOf(client);
    const category = unique('queries');
    const [lamp] = await Promise.all([1, 2, 3].map((price) => newProduct(client, { category, price })));
    const one = queries.products.get.query(lamp.id);
    equal((await cache.fetchQuery(one)).data.price, 1);
    equal((await cache.fetchQuery(queries.products.list.query({ category }))).pagination.total, 3);
    equal((await cache.fetchQuery(queries.products.list.page(2, { category, limit: 2 }))).data.length, 1);
    const pages = new InfiniteQueryObserver(cache, {
      ...queries.products.list.infinite({ category, limit: 2, sort: 'price:asc' }),
      enabled: false,
    });
    ok((await pages.fetchNextPage()).hasNextPage, 'there is a next page');
    const { data, hasNextPage } = await pages.fetchNextPage();
    equal([hasNextPage, data.pages.flatMap((page) => each(page.data, 'price'))], [false, [1, 2, 3]]);
    const patch = new MutationObserver(cache, {
      ...queries.products.patch.mutation(),
      onSuccess: () => cache.invalidateQueries({ queryKey: queries.products.key }),
    });
    await patch.mutate([lamp.id, { price: 5 }, { ifMatch: cache.getQueryData(one.queryKey).etag }]);
    equal((await cache.fetchQuery(one)).data.price, 5, 'the price after the key was invalidated');
    cache.clear();
  },
};
