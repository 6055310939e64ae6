import { useInProcess } from '../support/own-app.js';
import { useStock } from '../support/stock.js';
import { CHANGES, ChangingModule, isFile, seen } from './wrapped.module.js';

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

interface Kind {
  readonly method: string;
  readonly path: string | (() => Promise<string>);
  readonly body?: object;
  readonly headers?: Record<string, string>;
  readonly status: number;
  /** Whether the write of the request was done. */
  readonly isDone?: (path: string) => Promise<boolean>;
}

let count = 0;
const unique = (): string => `wrapped-${++count}`;

describe('an interceptor of the whole application', () => {
  const app = useInProcess({}, undefined, [ChangingModule]);
  const stock = useStock([ChangingModule]);
  let authorization: string;

  beforeAll(async () => {
    const { email, password } = await app.user('admin');
    authorization = `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;
  });

  async function send(method: string, path: string, body?: object, headers = {}): Promise<Sent> {
    const type = body && { 'content-type': 'application/json' };
    const response = await fetch(app.baseUrl + path, {
      method,
      body: body && JSON.stringify(body),
      headers: { authorization, ...type, ...headers },
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  async function makeProduct(name = unique()): Promise<string> {
    const { headers } = await send('POST', '/api/v1/products', { name, price: 1.5, category: 'c' });
    return headers.get('location')!;
  }

  const named = async (name: string): Promise<number> =>
    (await app.query(`select id from products where name = $1`, [name])).length;

  /** The kinds of routes. `body` creates a new body for each request. */
  const kinds = (): Record<string, Kind> => {
    const name = unique();
    const values = { name, price: 1.5, category: 'c' };
    const isStored = async (): Promise<boolean> => (await named(name)) === 1;
    return {
      POST: { method: 'POST', path: '/api/v1/products', body: values, status: 201, isDone: isStored },
      'POST with Idempotency-Key': {
        method: 'POST',
        path: '/api/v1/products',
        body: values,
        headers: { 'idempotency-key': name },
        status: 201,
        isDone: isStored,
      },
      batch: {
        method: 'POST',
        path: '/api/v1/products/batch',
        body: { operations: [{ method: 'create', body: values }] },
        status: 200,
        isDone: isStored,
      },
      PUT: { method: 'PUT', path: makeProduct, body: values, status: 200, isDone: isStored },
      PATCH: { method: 'PATCH', path: makeProduct, body: { name }, status: 200, isDone: isStored },
      DELETE: {
        method: 'DELETE',
        path: () => makeProduct(name),
        status: 204,
        isDone: async () => (await named(name)) === 0,
      },
      row: { method: 'GET', path: () => makeProduct(name), status: 200 },
      list: { method: 'GET', path: '/api/v1/products?limit=1', status: 200 },
      facets: { method: 'GET', path: '/api/v1/products/facets', status: 200 },
      CSV: { method: 'GET', path: '/api/v1/products', headers: { accept: 'text/csv' }, status: 200 },
      health: { method: 'GET', path: '/health/live', status: 200 },
    };
  };
  const all = Object.keys(kinds());
  const writes = all.slice(0, 6);

  async function ask(kind: string, change?: string, more = {}): Promise<Sent & { isDone: boolean }> {
    const { method, path, body, headers, isDone } = kinds()[kind]!;
    const target = typeof path === 'string' ? path : await path();
    const sent = await send(method, target, body, {
      ...headers,
      ...more,
      ...(change && { 'x-change': change }),
    });
    return { ...sent, isDone: (await isDone?.(target)) ?? true };
  }

  const own = async (kind: string): Promise<Sent> => ask(kind);
  /**
   * The members of a body, with the types of their values, which are the same for another request to the
   * route.
   */
  const shape = (text: string): unknown => {
    const keys = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([key, of]) => [key, keys(of)]))
        : typeof value;
    return text === '' ? '' : keys(JSON.parse(text));
  };

  const json = all.filter((kind) => kind !== 'CSV' && kind !== 'DELETE');

  it.each(json)('that wraps the response is sent with all that the schema shows: %s', async (kind) => {
    const { status, text, isDone, headers } = await ask(kind, 'wraps');
    const plain = await own(kind);
    expect([status, isDone]).toEqual([plain.status, true]);
    const { success, data } = JSON.parse(text) as { success: boolean; data: unknown };
    expect(success).toBe(true);
    expect(shape(JSON.stringify(data))).toEqual(shape(plain.text));
    const names = (of: Headers): string[] =>
      [...of.keys()].filter((name) => !['content-length', 'date'].includes(name)).sort();
    expect(names(headers)).toEqual(names(plain.headers));
    expect(headers.get('content-type')).toBe('application/json');
  });

  it.each(json)('that adds members is sent without what the schema hides: %s', async (kind) => {
    const { status, text, isDone } = await ask(kind, 'adds');
    const plain = await own(kind);
    expect([status, isDone]).toEqual([plain.status, true]);
    expect(shape(text)).toEqual({ ...(shape(plain.text) as object), extra: 'string' });
  });

  const replacing = [
    'returns a string',
    'returns a number',
    'returns a list',
    'returns null',
    'returns nothing',
  ];

  it.each(replacing.flatMap((change) => ['plain', ...json].map((kind) => [change, kind])))(
    'that %s is sent as in stock NestJS: %s',
    async (change, kind) => {
      const headers = { 'x-change': change };
      const plain = await fetch(`${stock()}/api/v1/plain`, { headers });
      const text = await plain.text();
      const sent =
        kind === 'plain' ? await send('GET', '/api/v1/plain', undefined, headers) : await ask(kind, change);
      const status = kinds()[kind]?.status ?? 200;
      const isDone = 'isDone' in sent ? sent.isDone : true;
      expect([sent.status, isDone]).toEqual([status, true]);
      if (change === 'returns a list') expect(sent.text).toMatch(/^\[\{.*\}\]$/);
      else expect(sent.text).toBe(text);
      const type = plain.headers.get('content-type')?.replace(/(json);.*/, '$1') ?? null;
      expect(sent.headers.get('content-type')).toBe(type);
    },
  );

  it.each(all)('that changes nothing has no effect: %s', async (kind) => {
    const [sent, plain] = [await ask(kind, 'logs'), await own(kind)];
    expect([sent.status, sent.isDone]).toEqual([plain.status, true]);
    if (kind === 'CSV') expect(sent.text.split('\r\n')[0]).toBe(plain.text.split('\r\n')[0]);
    else expect(shape(sent.text)).toEqual(shape(plain.text));
  });

  it.each(['before', 'after'])(
    'that sets the status %s the route shows no more than the schema',
    async (when) => {
      for (const kind of json) {
        const sent =
          when === 'after'
            ? await ask(kind, 'changes the status')
            : await ask(kind, undefined, { 'x-first': 'status' });
        expect([kind, sent.status, sent.isDone]).toEqual([kind, 202, true]);
        expect(shape(sent.text)).toEqual(shape((await own(kind)).text));
      }
    },
  );

  const failures = Object.keys(CHANGES).filter((name) =>
    /throws an error|throws a string|rejects|no JSON|circle|without a value/.test(name),
  );

  it.each(writes.flatMap((kind) => failures.map((change) => [change, kind])))(
    'that %s does not turn a successful write into a 500: %s',
    async (change, kind) => {
      const [sent, plain] = [await ask(kind, change), await own(kind)];
      expect([sent.status, sent.isDone]).toEqual([plain.status, true]);
      expect(shape(sent.text)).toEqual(shape(plain.text));
      const names = (of: Headers): string[] => [...of.keys()].filter((name) => name !== 'date').sort();
      expect(names(sent.headers)).toEqual(names(plain.headers));
      expect(sent.headers.get('cache-control')).toBe(plain.headers.get('cache-control'));
    },
  );

  it('is logged if it fails after a write', async () => {
    await ask('POST', 'throws an error');
    expect(JSON.stringify(app.log)).toContain('a bug of an interceptor');
  });

  it.each(['row', 'list', 'facets', 'health', 'CSV'])(
    'that fails after a read is answered with 500: %s',
    async (kind) => {
      const { status, text } = await ask(kind, 'throws an error');
      expect([status, JSON.parse(text)]).toMatchObject([500, { error: { code: 'INTERNAL_ERROR' } }]);
    },
  );

  it.each(all)('that throws an exception determines the response, as in NestJS: %s', async (kind) => {
    const { status, text } = await ask(kind, 'throws an exception');
    expect([status, JSON.parse(text)]).toMatchObject([409, { error: { message: 'Somebody was faster.' } }]);
  });

  it('changes a repeated response in the same way', async () => {
    const body = { name: unique(), price: 1.5, category: 'c' };
    for (const change of ['wraps', 'adds', 'throws an error']) {
      const key = { 'idempotency-key': unique(), 'x-change': change };
      const values = { ...body, name: unique() };
      const [first, again] = [
        await send('POST', '/api/v1/products', values, key),
        await send('POST', '/api/v1/products', values, key),
      ];
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await named(values.name)).toBe(1);
    }
  });

  it.each(['wraps', 'adds'])('that %s an export receives a file, which is sent', async (change) => {
    const name = unique();
    await makeProduct(name);
    seen.length = 0;
    const { status, text, headers } = await ask('CSV', change);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    expect(text).toContain(name);
    expect(seen.some(isFile)).toBe(true);
  });

  it('may replace an export', async () => {
    expect((await ask('CSV', 'returns a string')).text).toBe('a text');
  });

  it('sees only the fields of a user that the schema shows, and no password', async () => {
    seen.length = 0;
    const { status, text } = await send('GET', '/api/v1/users/me', undefined, { 'x-change': 'adds' });
    expect([status, Object.keys(JSON.parse(text) as object)]).toMatchObject([
      200,
      expect.arrayContaining(['email', 'extra']),
    ]);
    expect(JSON.stringify(seen) + text).not.toMatch(/argon2|password|version/i);
  });

  it('keeps 304 and the entity tag of a list', async () => {
    const path = `/api/v1/products?limit=1&category=${unique()}`;
    const first = await send('GET', path, undefined, { 'x-change': 'wraps' });
    const match = { 'if-none-match': first.headers.get('etag')!, 'x-change': 'wraps' };
    const again = await send('GET', path, undefined, match);
    expect([again.status, again.text]).toEqual([304, '']);
  });
});
