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
  throw new Error('the body was accepted');
}

const nested = (depth: number, open = '[', close = ']'): string => open.repeat(depth) + close.repeat(depth);

describe('readJson()', () => {
  test.each<[string, string, unknown]>([
    ['an object', '{"a":1}', { a: 1 }],
    ['white space around the document', ' \r\n\t{} ', {}],
    ['a string', '"x"', 'x'],
    ['a number beyond doubles, as infinity', '1e400', Infinity],
    ['UTF-8', '"Grüße 😀"', 'Grüße 😀'],
    ['escapes', '"\\u00fc\\ud83d\\ude00\\n"', 'ü😀\n'],
    ['an escaped NUL, which fields refuse', '"\\u0000"', '\u0000'],
    ['an escaped lone surrogate, which fields refuse', '"\\ud800"', '\ud800'],
    ['a document after a byte order mark (RFC 8259 §8.1)', '\ufeff{"a":1}', { a: 1 }],
    ['a member called constructor', '{"constructor":1}', { constructor: 1 }],
    ['__proto__ as a value', '{"a":"__proto__"}', { a: '__proto__' }],
    ['brackets in a string', `{"a":"${'['.repeat(30)}"}`, { a: '['.repeat(30) }],
    ['brackets after an escaped quote', `{"a":"\\"${'{'.repeat(30)}"}`, { a: `"${'{'.repeat(30)}` }],
    ['brackets side by side', `[${Array(50).fill('[]').join(',')}]`, Array(50).fill([])],
  ])('reads %s', (_name, text, value) => {
    expect(read(text)).toEqual(value);
  });

  test('returns undefined for an empty body', () => {
    expect(read('')).toBeUndefined();
  });
});

describe('readJson() refuses a body', () => {
  test.each([
    ['white space only', '  '],
    ['a byte order mark only', '\ufeff'],
    ['an object that does not end', '{"a":1'],
    ['a comma at the end', '{"a":1,}'],
    ['a raw line break in a string', '{"a":"\n"}'],
    ['__proto__', '{"__proto__":{"isAdmin":true}}'],
    ['__proto__ in a nested object', '{"a":[{"__proto__":1}]}'],
    ['__proto__ in escapes', '{"\\u005f_proto_\\u005f":1}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"a":1}}}'],
    ['constructor.prototype in a nested object', '{"a":{"constructor":{"prototype":{}}}}'],
  ])('with INVALID_JSON for %s', (_name, text) => {
    expect(errorOf(text).toBody()).toMatchObject({
      error: { code: 'INVALID_JSON', status: 400, details: [] },
    });
  });

  test.each([
    ['a byte that UTF-8 does not have', [0x22, 0xff, 0x22]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['Latin-1', [...Buffer.from('{"a":"gr\xfcn"}', 'latin1')]],
    ['UTF-16 with a byte order mark', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('that is not valid UTF-8: %s', (_name, bytes) => {
    const error = errorOf(Buffer.from(bytes));
    expect(error.type.code).toBe('INVALID_JSON');
    expect(error.message).toBe('The body is not valid UTF-8.');
  });

  test('with the position of the fault, but not its text, which may be a password', () => {
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

describe('the depth of a body', () => {
  test.each<[string, string]>([
    ['arrays', nested(20)],
    ['objects', nested(20, '{"a":', '}').replace(':}', ':1}')],
    ['arrays and objects', nested(10, '{"a":[', ']}')],
    ['20 levels twice, side by side', `[${nested(19)},${nested(19)}]`],
  ])('may be 20 levels: %s', (_name, text) => {
    expect(read(text)).toBeDefined();
  });

  test.each<[string, string]>([
    ['arrays', nested(21)],
    ['objects', nested(21, '{"a":', '}').replace(':}', ':1}')],
    ['arrays and objects', `[${nested(10, '{"a":[', ']}')}]`],
    ['5,000 arrays', nested(5000)],
    ['500,000 arrays that never end', '['.repeat(500_000)],
    ['arrays after a string that ends in a backslash', `["\\\\",${nested(20)}]`],
  ])('must not be more than 20 levels: %s', (_name, text) => {
    expect(errorOf(text).message).toBe('The body must not be nested deeper than 20 levels.');
  });
});

describe('the parser of JSON bodies', () => {
  const server = fastify();
  registerJsonBody(server);
  server.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    void reply.code(error instanceof ApiError ? error.status : (error.statusCode ?? 500)).send();
  });
  // NestJS adds this method and others in the same way.
  server.addHttpMethod('SEARCH', { hasBody: true });
  const METHODS = server.supportedMethods.filter((method) => !['GET', 'HEAD', 'TRACE'].includes(method));
  for (const method of METHODS)
    server.route({ method, url: '/any', handler: async (request) => ({ body: request.body ?? null }) });
  afterAll(() => server.close());

  test.each(METHODS)('refuses a compressed body of %s', async (method) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const encoded = { method: method as 'POST', url: '/any', headers, payload: '{}' };
    expect((await server.inject(encoded)).statusCode).toBe(415);
    expect(
      (await server.inject({ ...encoded, headers: { 'content-type': 'application/json' } })).json(),
    ).toEqual({ body: {} });
  });

  test('parses one large body per turn of the event loop', async () => {
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
