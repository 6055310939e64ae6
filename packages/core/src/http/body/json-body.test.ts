import fastify from 'fastify';

import { ApiError } from '../errors/api-error.js';
import { readJson, registerJsonBody } from './json-body.js';

const read = (text: string): unknown => readJson(Buffer.from(text));

function errorOf(bytes: string | Buffer): ApiError {
  try {
    readJson(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

const nested = (depth: number, open = '[', close = ']'): string => open.repeat(depth) + close.repeat(depth);

describe('what is JSON', () => {
  test.each<[string, string, unknown]>([
    ['an object', '{"a":1}', { a: 1 }],
    ['blanks around', ' \r\n\t{} ', {}],
    ['a text', '"x"', 'x'],
    ['too large a number', '1e400', Infinity],
    ['UTF-8', '"Grüße 😀"', 'Grüße 😀'],
    ['escapes', '"\\u00fc\\ud83d\\ude00\\n"', 'ü😀\n'],
    ['an escaped NUL, which fields judge', '"\\u0000"', '\u0000'],
    ['an escaped lone surrogate, which fields judge', '"\\ud800"', '\ud800'],
    ['a byte order mark before it (RFC 8259 §8.1)', '\ufeff{"a":1}', { a: 1 }],
    ['a constructor that is only a name', '{"constructor":1}', { constructor: 1 }],
    ['__proto__ as a value', '{"a":"__proto__"}', { a: '__proto__' }],
    ['brackets in a text', `{"a":"${'['.repeat(30)}"}`, { a: '['.repeat(30) }],
    ['brackets behind an escaped quote', `{"a":"\\"${'{'.repeat(30)}"}`, { a: `"${'{'.repeat(30)}` }],
    ['brackets side by side', `[${Array(50).fill('[]').join(',')}]`, Array(50).fill([])],
  ])('%s', (_name, text, value) => {
    expect(read(text)).toEqual(value);
  });

  test('no bytes are no value', () => {
    expect(read('')).toBeUndefined();
  });
});

describe('what is none', () => {
  test.each([
    ['blanks', '  '],
    ['a byte order mark alone', '\ufeff'],
    ['an open object', '{"a":1'],
    ['a comma at the end', '{"a":1,}'],
    ['a raw line break in a text', '{"a":"\n"}'],
    ['__proto__', '{"__proto__":{"isAdmin":true}}'],
    ['__proto__ in an object inside', '{"a":[{"__proto__":1}]}'],
    ['__proto__ in escapes', '{"\\u005f_proto_\\u005f":1}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"a":1}}}'],
    ['constructor.prototype inside', '{"a":{"constructor":{"prototype":{}}}}'],
  ])('%s', (_name, text) => {
    expect(errorOf(text).toBody()).toMatchObject({
      error: { code: 'INVALID_JSON', status: 400, details: [] },
    });
  });

  test.each([
    ['a byte that is none of UTF-8', [0x22, 0xff, 0x22]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['latin1', [...Buffer.from('{"a":"gr\xfcn"}', 'latin1')]],
    ['UTF-16 with its mark', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('%s', (_name, bytes) => {
    const error = errorOf(Buffer.from(bytes));
    expect(error.type.code).toBe('INVALID_JSON');
    expect(error.message).toBe('The body is not valid UTF-8.');
  });

  test('the message gives a place, never the text: it may be a password', () => {
    for (const text of [
      '{"password":"hunter2"',
      '{"password":hunter2}',
      'hunter2',
      '{"password":"hunter2" x}',
    ]) {
      const { message } = errorOf(text);
      expect(message).toMatch(/^The body is not valid JSON: .+\.$/);
      expect(message).not.toMatch(/hunter|unter|password/);
    }
    expect(errorOf('{"a" 1}').message).toBe('The body is not valid JSON: unexpected text at position 5.');
  });
});

describe('depth', () => {
  test.each<[string, string]>([
    ['arrays', nested(20)],
    ['objects', nested(20, '{"a":', '}').replace(':}', ':1}')],
    ['both', nested(10, '{"a":[', ']}')],
    ['twice 20 levels', `[${nested(19)},${nested(19)}]`],
  ])('takes 20 levels: %s', (_name, text) => {
    expect(read(text)).toBeDefined();
  });

  test.each<[string, string]>([
    ['arrays', nested(21)],
    ['objects', nested(21, '{"a":', '}').replace(':}', ':1}')],
    ['both', `[${nested(10, '{"a":[', ']}')}]`],
    ['5,000 arrays', nested(5000)],
    ['500,000 that never end', '['.repeat(500_000)],
    ['after a text that ends in a backslash', `["\\\\",${nested(20)}]`],
  ])('refuses more: %s', (_name, text) => {
    expect(errorOf(text).message).toBe('The body is nested deeper than 20 levels.');
  });
});

describe('registerJsonBody', () => {
  const server = fastify();
  registerJsonBody(server);
  server.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    void reply.code(error instanceof ApiError ? error.status : (error.statusCode ?? 500)).send();
  });
  // As NestJS adds it, with others.
  server.addHttpMethod('SEARCH', { hasBody: true });
  const METHODS = server.supportedMethods.filter((method) => !['GET', 'HEAD', 'TRACE'].includes(method));
  for (const method of METHODS)
    server.route({ method, url: '/any', handler: async (request) => ({ body: request.body ?? null }) });
  afterAll(() => server.close());

  test.each(METHODS)(
    'refuses an encoded body of %s, as of every method whose body is read',
    async (method) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const encoded = { method: method as 'POST', url: '/any', headers, payload: '{}' };
      expect((await server.inject(encoded)).statusCode).toBe(415);
      expect(
        (await server.inject({ ...encoded, headers: { 'content-type': 'application/json' } })).json(),
      ).toEqual({ body: {} });
    },
  );

  test('parses large bodies one in each turn of the event loop', async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    const large = JSON.stringify({ a: 'x'.repeat(100_000) });
    const parsedIn: number[] = [];
    const own = fastify();
    registerJsonBody(own);
    own.post('/', async () => parsedIn.push(turns));
    count();
    const headers = { 'content-type': 'application/json' };
    await Promise.all(
      Array.from({ length: 10 }, () => own.inject({ method: 'POST', url: '/', headers, payload: large })),
    );
    isOver = true;
    expect(new Set(parsedIn).size).toBe(10);
  });
});
