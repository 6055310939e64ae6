import { apiKey, basic, createClient, isError, session, token } from '../../../client/dist/esm/index.js';
import { each, equal, ok, rejection } from './assert.mjs';

/** Tests of the four schemes. To simulate an expired access token, a test makes the proxy refuse a request once. */
export const tests = {
  'login() gets a token, and logout() ends it': async ({ recorded, newUser }) => {
    const user = await newUser();
    const { client } = recorded({ auth: token() });
    equal((await client.login({ email: user.email, password: user.password })).user.id, user.id);
    equal((await client.users.me()).data.id, user.id);
    await client.logout();
    const error = await rejection(client.users.me());
    ok(isError(error, 'AUTHENTICATION_REQUIRED') && error.status === 401, String(error));
    const wrong = await rejection(client.login({ email: user.email, password: 'wrong password' }));
    ok(isError(wrong, 'INVALID_CREDENTIALS'), String(wrong));
  },

  'an expired token is refreshed once for all requests, which are repeated with their bodies': async ({
    recorded,
    admin,
    unique,
    fault,
  }) => {
    const { client, sent } = recorded({ auth: token() });
    await client.login(admin);
    await client.users.me();
    const expired = () => ({ headers: fault('expired') });
    const before = sent.length;
    const category = unique('refreshed');
    const lamp = (name) => client.products.create({ name, price: 1, category }, expired());
    await Promise.all([lamp('a'), lamp('b'), client.users.me(expired()), client.users.me(expired())]);
    const own = sent.slice(before);
    equal(own.filter(({ status }) => status === 401).length, 4, 'the number of 401s');
    equal(
      each(
        own.filter(({ path }) => path.endsWith('/auth/refresh')),
        'status',
      ),
      [200],
    );
    equal(each(await client.products.list({ category, sort: 'name:asc' }).toArray(), 'name'), ['a', 'b']);
    equal((await client.users.me(expired())).status, 200, 'the status after the second refresh');
  },

  'token(credentials) logs in automatically and once': async ({ asAdmin }) => {
    const { client, sent } = asAdmin();
    await Promise.all([client.users.me(), client.users.me(), client.products.list()]);
    equal(sent.filter(({ path }) => path.endsWith('/login')).length, 1, 'the number of logins');
  },

  'token(function) requests another token after a 401': async ({ recorded, admin, baseUrl }) => {
    const issue = async () => (await createClient({ baseUrl, auth: token() }).login(admin)).accessToken;
    const tokens = ['not.a.token', await issue()];
    const { client, sent } = recorded({ auth: token(() => tokens.shift()) });
    equal((await client.users.me()).status, 200);
    equal(each(sent, 'status'), [401, 200]);
  },

  'token(string) uses this token only, even after a 401': async ({ recorded }) => {
    const { client, sent } = recorded({ auth: token('not.a.token') });
    ok(isError(await rejection(client.users.me()), 'INVALID_TOKEN'), 'the token is refused');
    equal(sent.length, 1);
  },

  'session() reads and writes with a cookie': async ({ recorded, newUser, asAdmin, newProduct }) => {
    const user = await newUser();
    const product = await newProduct(asAdmin().client);
    const { client, sent } = recorded({ auth: session() });
    await client.login({ email: user.email, password: user.password });
    equal((await client.users.me()).data.id, user.id);
    equal(
      (await client.reviews.create(product.id, { rating: 5, comment: 'Warm light.' })).data.userId,
      user.id,
    );
    ok(!sent.some(({ headers }) => headers.has('authorization')), 'no request has Authorization');
    await client.logout();
    ok(
      isError(await rejection(client.users.me()), 'AUTHENTICATION_REQUIRED', 'INVALID_SESSION'),
      'the session has ended',
    );
  },

  'apiKey() is sent as X-API-Key': async ({ recorded, asAdmin, newProduct }) => {
    const admin = asAdmin().client;
    const { key } = (await admin.apiKeys.create({ name: 'Export', permissions: ['read'] })).data;
    const { client } = recorded({ auth: apiKey(key) });
    equal((await client.products.list({ limit: 1 })).pagination.limit, 1);
    ok(isError(await rejection(newProduct(client)), 'PERMISSION_DENIED'), 'the key may only read');
    ok(
      isError(await rejection(recorded({ auth: apiKey('no-key') }).client.users.me()), 'INVALID_API_KEY'),
      'an invalid key is refused',
    );
  },

  'basic() accepts any password': async ({ recorded, newUser }) => {
    const { email, password, id } = await newUser();
    equal((await recorded({ auth: basic(email, password) }).client.users.me()).data.id, id);
  },

  'login() throws a TypeError for a client without a login': async ({ recorded, admin }) => {
    const error = await rejection(recorded({ auth: apiKey('key') }).client.login(admin));
    ok(error instanceof TypeError, String(error));
  },
};
