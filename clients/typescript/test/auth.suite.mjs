import { equal, ok, rejection } from './assert.mjs';

/** The four schemes. Access tokens expire when a test says so: the proxy refuses a request once. */
export const tests = {
  'login() gets a token, logout() ends it': async ({ recorded, newUser, token, isError }) => {
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

  'an expired token is refreshed once for all, and their requests are sent again, bodies too': async (
    context,
  ) => {
    const { recorded, admin, token, unique, fault } = context;
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
      own.filter(({ path }) => path.endsWith('/auth/refresh')).map(({ status }) => status),
      [200],
    );
    equal(
      (await client.products.list({ category, sort: 'name:asc' }).toArray()).map(({ name }) => name),
      ['a', 'b'],
    );
    equal((await client.users.me(expired())).status, 200, 'the status after the second refresh');
  },

  'token(credentials) logs in by itself, and once': async ({ asAdmin }) => {
    const { client, sent } = asAdmin();
    await Promise.all([client.users.me(), client.users.me(), client.products.list()]);
    equal(sent.filter(({ path }) => path.endsWith('/login')).length, 1, 'the number of logins');
  },

  'token(function) asks for another token after a 401': async ({
    recorded,
    admin,
    token,
    createClient,
    baseUrl,
  }) => {
    const issue = async () => (await createClient({ baseUrl, auth: token() }).login(admin)).accessToken;
    const tokens = ['not.a.token', await issue()];
    const { client, sent } = recorded({ auth: token(() => tokens.shift()) });
    equal((await client.users.me()).status, 200);
    equal(
      sent.map(({ status }) => status),
      [401, 200],
    );
  },

  'token(string) is this token, and never another': async ({ recorded, token, isError }) => {
    const { client, sent } = recorded({ auth: token('not.a.token') });
    ok(isError(await rejection(client.users.me()), 'INVALID_TOKEN'), 'it is refused');
    equal(sent.length, 1);
  },

  'session() is a cookie, for reads and writes': async ({
    recorded,
    newUser,
    asAdmin,
    newProduct,
    session,
    isError,
  }) => {
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
      'it has ended',
    );
  },

  'apiKey() is sent as X-API-Key': async ({ recorded, asAdmin, apiKey, isError, newProduct }) => {
    const admin = asAdmin().client;
    const { key } = (await admin.apiKeys.create({ name: 'Export', permissions: ['read'] })).data;
    const { client } = recorded({ auth: apiKey(key) });
    equal((await client.products.list({ limit: 1 })).pagination.limit, 1);
    ok(isError(await rejection(newProduct(client)), 'PERMISSION_DENIED'), 'it may only read');
    ok(
      isError(await rejection(recorded({ auth: apiKey('no-key') }).client.users.me()), 'INVALID_API_KEY'),
      'a bad one',
    );
  },

  'basic() takes any password': async ({ recorded, newUser, basic }) => {
    const { email, password, id } = await newUser();
    equal((await recorded({ auth: basic(email, password) }).client.users.me()).data.id, id);
  },

  'login() of a client without a login says so': async ({ recorded, admin, apiKey }) => {
    const error = await rejection(recorded({ auth: apiKey('key') }).client.login(admin));
    ok(error instanceof TypeError, String(error));
  },

  'what is aborted asks for no credentials': async ({ recorded, admin, token, fault }) => {
    const gone = new Error('gone');
    const auth = token({ ...admin, password: 'wrong password' });
    const { client, sent } = recorded({ auth });
    ok(
      (await rejection(client.users.me({ signal: AbortSignal.abort(gone) }))) === gone,
      'the reason is given',
    );
    equal(sent.length, 0, 'the number of requests');
    // After a 401, too.
    const controller = new AbortController();
    const aborting = async (url, init) => {
      const response = await fetch(url, { ...init, signal: null });
      if (init.headers.has('x-fault')) controller.abort(gone);
      return response;
    };
    const other = recorded({ auth: token(admin) });
    const { accessToken } = await other.client.login(admin);
    let asked = 0;
    const late = recorded({ auth: token(() => (++asked, accessToken)), fetch: aborting });
    const options = { signal: controller.signal, headers: fault('expired') };
    ok((await rejection(late.client.users.me(options))) === gone, 'the reason is given after a 401');
    equal(asked, 1, 'how often a token was asked for');
  },

  'a logout while a token is refreshed is the last word': async ({
    recorded,
    admin,
    token,
    fault,
    isError,
  }) => {
    const held = {};
    const answered = new Promise((resolve) => (held.answer = resolve));
    const refreshing = new Promise((resolve) => (held.reached = resolve));
    const holding = async (url, init) => {
      const response = await fetch(url, init);
      if (url.endsWith('/logout')) throw new TypeError('the server is out of reach');
      if (url.endsWith('/refresh')) {
        held.reached();
        await answered;
      }
      return response;
    };
    const { client } = recorded({ auth: token(), fetch: holding });
    await client.login(admin);
    const read = rejection(client.users.me({ headers: fault('expired') }));
    await refreshing;
    await rejection(client.logout());
    held.answer();
    ok(isError(await read, 'TOKEN_EXPIRED'), 'the read has failed');
    ok(isError(await rejection(client.users.me()), 'AUTHENTICATION_REQUIRED'), 'it has ended');
  },
};
