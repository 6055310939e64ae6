import { readFileSync } from 'node:fs';

import { breakingChanges } from '../../tools/openapi/breaking-changes.js';
import { surfaceOf } from '../../tools/openapi/surface.js';

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trim().split('\n');

describe('the surface of the API', () => {
  it('breaks nothing of the last release that CHANGELOG.md does not name', () => {
    const [, section = ''] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
    const changes = breakingChanges(
      linesOf('docs/api-surface.released.txt'),
      linesOf('docs/api-surface.txt'),
    );
    // Copy each line, in backticks, to "Breaking changes" of the first section.
    expect(changes.filter((change) => !section.includes(`\`${change}\``))).toEqual([]);
  });

  it('names what clients depend on', () => {
    const line = linesOf('docs/api-surface.txt').find((one) =>
      one.startsWith('PATCH /api/v1/products/{id} '),
    );
    expect(line).toMatch(
      /^PATCH \S+ patchProduct \[update\] \(id!: integer\(.*\), .*body: PatchProduct\) → 200 Product with ETag, Last-Modified; 400 /,
    );
    expect(linesOf('docs/api-surface.txt')).toContainEqual(
      expect.stringMatching(/^Product \{ id!: integer\(.*\), name!: string\(.*\), /),
    );
  });
});

describe('breakingChanges', () => {
  const before = [
    'GET /a listA (page: integer, sort: name | price, id!: integer) → 200 A; 404 X',
    'POST /a createA (body: NewA) → 201 A',
    'A { id!: integer, tags: { a!: string, b: integer } }',
    'NewA { name!: string, note: string }',
    'Kind "x" | "y"',
  ];
  const after = (from: string, to: string): string[] => before.map((line) => line.replace(from, to));

  it.each([
    ['nothing', before, []],
    ['an added parameter', after('(page:', '(limit: integer, page:'), []],
    ['an added field of a response', after('{ id!: integer,', '{ id!: integer, name!: string,'), []],
    ['another error', after('404 X', '404 X; 409 Y'), []],
    ['a lost operation', before.slice(1), ['GET /a: is gone']],
    ['another name', after('listA', 'listAs'), ['GET /a: is called listAs, was listA']],
    ['a lost parameter', after('page: integer, ', ''), ['GET /a: page is gone']],
    ['a required parameter', after('page:', 'page!:'), ['GET /a: page is required']],
    [
      'another type of a parameter',
      after('page: integer', 'page: string'),
      ['GET /a: page is string, was integer'],
    ],
    ['a lost sort', after('name | price', 'price'), ['GET /a: sort is price, was name | price']],
    ['an added sort', after('name | price', 'name | price | rating'), []],
    ['another success', after('200 A', '200 B'), ['GET /a: no longer answers 200 A']],
    ['a lost field', after(', note: string', ''), ['NewA.note: is gone']],
    ['a required field', after('note:', 'note!:'), ['NewA.note: is required']],
    ['a field that may be absent', after('id!', 'id'), ['A.id: may be absent']],
    ['another type', after('{ id!: integer', '{ id!: string'), ['A.id: is string, was integer']],
    ['a lost schema', before.slice(0, -1), ['Kind: is gone']],
    ['a lost word', after(' | "y"', ''), ['Kind: is "x", was "x" | "y"']],
  ])('finds of %s what it breaks', (_, now, expected) => {
    expect(breakingChanges(before, now)).toEqual(expected);
  });
});

describe('breakingChanges, of a path and a query that use one name', () => {
  it('finds the one that is gone', () => {
    const both = ['GET /a/{id} listA (id!: integer, id: integer) → 200 A'];
    const path = ['GET /a/{id} listA (id!: integer) → 200 A'];
    expect(breakingChanges(both, path)).toEqual(['GET /a/{id}: id is gone']);
  });
});

describe('breakingChanges, by what bounds values', () => {
  /** What breaks where a type takes the place of another: of a parameter, of what is sent, and of what is answered. */
  function broken(old: string, now: string): string[] {
    const surface = (type: string): string[] => [
      `GET /a listA (parameter: ${type}) → 200 Answered`,
      `POST /a createA (body: Sent) → 201 Answered`,
      `Sent { field: Inner, list: Item[] }`,
      `Answered { field: ${type} }`,
      `Inner { field: ${type} }`,
      `Item ${type}`,
    ];
    return breakingChanges(surface(old), surface(now)).map((change) => change.split(/:? is /)[0] as string);
  }
  const SENT = ['GET /a: parameter', 'Inner.field', 'Item'];
  const ANSWERED = ['Answered.field'];

  it.each([
    ['string(1..)', 'string(2..)'],
    ['string(..200)', 'string(..100)'],
    ['string', 'string(..100)'],
    ['integer(1..5)', 'integer(1..4)'],
    ['number(0..)', 'number(0<..)'],
    ['number(..1)', 'number(..<1)'],
    ['number(0<..<2)', 'number(0.5..1.5)'],
    ['number(-1..)', 'number(0..)'],
    ['string', 'string("^[a-z]+$")'],
    ['string', 'string(date-time)'],
    ['integer(int64, 1..)', 'integer(int32, 1..)'],
    ['string(idn-email)', 'string(email)'],
    ['A[](1..)', 'A[](2..)'],
    ['A[](..100)', 'A[](..50)'],
    ['A[]', 'A[](unique)'],
    ['string[](..5)', 'string(..9)[](..5)'],
    ['("a" | "b")[](..2)', '"a"[](..2)'],
    ['"a" | "b"', '"a"'],
    ['string', '"a"'],
    ['string(..9) | null', 'string(..9)'],
  ])('%s → %s breaks what is sent, and the other way round what is answered', (wide, narrow) => {
    expect(broken(wide, narrow)).toEqual(SENT);
    expect(broken(narrow, wide)).toEqual(ANSWERED);
  });

  it.each([
    ['string(1..5)', 'string(2..6)'],
    ['string("^a, (b) | {c}$")', 'string("^a, (b) | {d}$")'],
    ['string(date)', 'string(date-time)'],
    ['integer(1..)', 'string(1..)'],
  ])('%s → %s breaks both', (old, now) => {
    expect(broken(old, now).sort()).toEqual([...SENT, ...ANSWERED].sort());
  });

  it('finds the same type the same, in whatever order', () => {
    expect(broken('"a" | null', 'null | "a"')).toEqual([]);
    expect(broken('string(1.., "^a, (b)$")', 'string("^a, (b)$", 1..)')).toEqual([]);
  });

  it('judges what is sent and answered by both', () => {
    const surface = (type: string): string[] => [
      'PUT /a replaceA (body: A) → 200 A',
      `A { field: string(${type}) }`,
    ];
    for (const type of ['1..4', '1..6'])
      expect(breakingChanges(surface('1..5'), surface(type))).toEqual([
        `A.field: is string(${type}), was string(1..5)`,
      ]);
  });
});

describe('breakingChanges, by who may call', () => {
  const surface = (access: string): string[] => [`GET /a listA [${access}] (id!: integer(1..)) → 200 A`];

  it.each([
    ['read', 'manage_users'],
    ['read', 'read & staff'],
    ['read | own', 'read'],
    ['read | anonymous', 'read'],
    ['open', 'read | own'],
  ])('%s → %s breaks those who were let in', (old, now) => {
    expect(breakingChanges(surface(old), surface(now))).toEqual([`GET /a: asks for ${now}, was ${old}`]);
  });

  it.each([
    ['read & staff | own', 'read | own'],
    ['read', 'read | own'],
    ['manage_users | own', 'open'],
  ])('%s → %s breaks nobody', (old, now) => {
    expect(breakingChanges(surface(old), surface(now))).toEqual([]);
  });
});

describe('breakingChanges, by defaults, headers, errors and schemes', () => {
  const before = [
    'GET /a listA [read] (limit: integer(1..) = 20) → 200 A with ETag, Link; 404 X',
    'POST /a createA [create by bearer] (body: NewA) → 201 A with ETag',
    'NewA { count: integer(1..) = 1, name: string = null }',
    'error A_NOT_FOUND 404',
    'scheme basic http basic',
    'scheme bearer http bearer',
  ];

  it.each([
    ['= 20', '= 50', ['GET /a: limit defaults to 50, was 20']],
    ['= 20', '', ['GET /a: limit defaults to nothing, was 20']],
    ['integer(1..) = 20', 'integer(2..) = 20', ['GET /a: limit is integer(2..), was integer(1..)']],
    ['= 1,', '= 2,', ['NewA.count: defaults to 2, was 1']],
    ['A with ETag, Link', 'A with ETag', ['GET /a: no longer answers 200 with Link']],
    ['A with ETag, Link', 'A with Age, Link, ETag', []],
    ['A with ETag, Link', 'B with ETag, Link', ['GET /a: no longer answers 200 A']],
    ['error A_NOT_FOUND', 'error NO_A', ['error A_NOT_FOUND: is gone']],
    ['A_NOT_FOUND 404', 'A_NOT_FOUND 410', ['error A_NOT_FOUND: is 410, was 404']],
    ['[read]', '[read by bearer]', ['GET /a: no longer takes the scheme basic']],
    ['by bearer', 'by basic, bearer', []],
    ['create by bearer', 'open', []],
    ['http basic', 'http digest', ['scheme basic: is http digest, was http basic']],
    ['scheme basic', 'scheme key', ['scheme basic: is gone']],
  ])('%s → %s', (from, to, expected) => {
    expect(
      breakingChanges(
        before,
        before.map((line) => line.replace(from, to)),
      ),
    ).toEqual(expected);
  });
});

describe('surfaceOf', () => {
  it('writes a line for each operation and schema', () => {
    const schema = { $ref: '#/components/schemas/A' };
    const A = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: ['integer', 'null'] }, of: { items: schema } },
    };
    const responses = { 200: { content: { 'application/json': { schema } } }, default: {} };
    const parameters = [
      { name: 'p', in: 'query', required: true, schema: { type: 'boolean' } },
      { name: 'sort', in: 'query', schema: { type: 'string', pattern: '^(?:a|b):(?:asc|desc)(?:,…)?$' } },
    ];
    const paths = {
      '/a': { get: { operationId: 'getA', parameters, responses } },
    };
    expect(surfaceOf({ paths, components: { schemas: { A } } })).toEqual([
      'GET /a getA [open] (p!: boolean, sort: a | b) → 200 A',
      'A { id!: integer | null, of: A[] }',
    ]);
  });

  it.each([
    [{ type: 'string', minLength: 1, maxLength: 200 }, 'string(1..200)'],
    [{ type: 'string', minLength: 0, maxLength: 200 }, 'string(..200)'],
    [{ type: 'string', pattern: '^"a", (b)$' }, String.raw`string("^\"a\", (b)$")`],
    [{ type: ['string', 'null'], format: 'date-time' }, 'string(date-time) | null'],
    // It says how a form shows the value.
    [{ type: 'string', format: 'password', minLength: 8 }, 'string(8..)'],
    [{ type: 'integer', format: 'int32', minimum: 1, maximum: 5 }, 'integer(int32, 1..5)'],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1.5 }, 'number(0<..<1.5)'],
    [{ type: 'number', minimum: 0, exclusiveMaximum: 1 }, 'number(0.., ..<1)'],
    [
      { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 2, uniqueItems: true },
      '("a" | "b")[](1..2, unique)',
    ],
    [{ type: 'array', items: { type: 'string', maxLength: 9 } }, 'string(..9)[]'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
  ])('writes of %j what bounds it', (schema, text) => {
    expect(surfaceOf({ paths: {}, components: { schemas: { A: schema } } })).toEqual([`A ${text}`]);
  });

  it.each([
    [{ 'x-access': { permission: 'read' } }, 'read'],
    [{ 'x-access': { permission: 'read', staff: true, own: true } }, 'read & staff | own'],
    [{ 'x-access': { permission: 'read', anonymous: true } }, 'read | anonymous'],
    [{}, 'open'],
  ])('writes of %j who may call', (access, text) => {
    const paths = { '/a': { get: { operationId: 'getA', responses: { 204: {} }, ...access } } };
    expect(surfaceOf({ paths, components: { schemas: {} } })).toEqual([`GET /a getA [${text}] () → 204`]);
  });

  it('writes the defaults of parameters, and those of bodies that are told in words', () => {
    const sort = {
      type: 'string',
      pattern: '^(?:a|b):(?:asc|desc)(?:,…)?$',
      default: 'a:desc',
    };
    const parameters = [
      { name: 'limit', in: 'query', schema: { type: 'integer', default: 20 } },
      { name: 'sort', in: 'query', schema: sort },
    ];
    const paths = { '/a': { get: { operationId: 'listA', parameters, responses: { 204: {} } } } };
    const inStock = { type: 'boolean', description: 'May be ordered. Default: `true`.' };
    const A = { type: 'object', properties: { inStock } };
    expect(surfaceOf({ paths, components: { schemas: { A } } })).toEqual([
      'GET /a listA [open] (limit: integer = 20, sort: a | b = "a:desc") → 204',
      'A { inStock: boolean = true }',
    ]);
  });

  it('writes the headers of successes, the errors, and the schemes', () => {
    const headers = { ETag: {} };
    const responses = { 200: { headers }, 304: { headers }, 404: { $ref: '#/components/responses/NoA' } };
    const operation = (...names: string[]): object => ({
      security: names.map((name) => ({ [name]: [] })),
      'x-access': { permission: 'read' },
    });
    const paths = {
      '/a': { get: { operationId: 'getA', responses, ...operation('basic', 'apiKey') } },
      '/b': { get: { operationId: 'getB', responses, ...operation('basic') } },
    };
    const code = { type: 'string', const: 'NO_A' };
    const error = { type: 'object', properties: { code, status: { type: 'integer', const: 404 } } };
    const schemas = { NoAError: { type: 'object', properties: { error } }, AnyError: { anyOf: [] } };
    const securitySchemes = {
      basic: { type: 'http', scheme: 'basic' },
      apiKey: { type: 'apiKey', in: 'header', name: 'X-Key' },
    };
    expect(surfaceOf({ paths, components: { schemas, securitySchemes } })).toEqual([
      'GET /a getA [read] () → 200 with ETag; 304; 404 NoA',
      'GET /b getB [read by basic] () → 200 with ETag; 304; 404 NoA',
      'error NO_A 404',
      'scheme apiKey apiKey header X-Key',
      'scheme basic http basic',
    ]);
  });
});
