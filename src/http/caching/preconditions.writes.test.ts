import fc from 'fast-check';

import { httpDateOf } from './http-date.js';
import {
  type PreconditionHeaders,
  type Preconditions,
  evaluatePreconditions,
  failedPrecondition,
  NO_PRECONDITIONS,
  rowEntityTag,
  taggedResource,
  UNCONDITIONAL,
  preconditionsOf,
} from './preconditions.js';

const SAFE = ['GET', 'HEAD'];
const UNSAFE = ['PUT', 'PATCH', 'DELETE', 'POST'];

const CHANGED = Date.UTC(2026, 0, 10, 12, 0, 0, 750);
const dateOf = (epochMs: number): string => httpDateOf(new Date(epochMs).toISOString());
const THEN = dateOf(CHANGED);

const RESOURCE = taggedResource('a1b2c3', 42);
const THEN_MS = Math.floor(CHANGED / 1000) * 1000;

describe('preconditionsOf', () => {
  test('gives one frozen object when there is nothing to check', () => {
    expect(preconditionsOf(NO_PRECONDITIONS, RESOURCE)).toBe(UNCONDITIONAL);
    expect(preconditionsOf({ ifModifiedSince: THEN }, RESOURCE)).toBe(UNCONDITIONAL);
    expect(Object.isFrozen(UNCONDITIONAL)).toBe(true);
  });

  test.each<[string, PreconditionHeaders, Partial<Preconditions>]>([
    ['the tag of a row', { ifMatch: '"a1b2c3-42-7"' }, { versions: [7] }],
    ['a list', { ifMatch: '"a1b2c3-42-7", "a1b2c3-42-9"' }, { versions: [7, 9] }],
    ['any', { ifMatch: '*' }, {}],
    ['a weak tag', { ifMatch: 'W/"a1b2c3-42-7"' }, { versions: [] }],
    ['weak and strong', { ifMatch: 'W/"a1b2c3-42-7", "a1b2c3-42-8"' }, { versions: [8] }],
    ['another representation', { ifMatch: '"ffffff-42-7"' }, { versions: [] }],
    ['a representation that begins alike', { ifMatch: '"a1b2c3d4-42-7"' }, { versions: [] }],
    ['another row', { ifMatch: '"a1b2c3-43-7"' }, { versions: [] }],
    ['a row whose id begins alike', { ifMatch: '"a1b2c3-421-7"' }, { versions: [] }],
    ['no id', { ifMatch: '"a1b2c3-7"' }, { versions: [] }],
    ['capitals', { ifMatch: '"A1B2C3-42-7"' }, { versions: [] }],
    ['no version', { ifMatch: '"a1b2c3-42-"' }, { versions: [] }],
    ['no dash', { ifMatch: '"a1b2c3-427"' }, { versions: [] }],
    ['version 0', { ifMatch: '"a1b2c3-42-0"' }, { versions: [] }],
    ['a negative version', { ifMatch: '"a1b2c3-42--1"' }, { versions: [] }],
    ['a leading zero', { ifMatch: '"a1b2c3-42-07"' }, { versions: [] }],
    ['a plus', { ifMatch: '"a1b2c3-42-+7"' }, { versions: [] }],
    ['a fraction', { ifMatch: '"a1b2c3-42-7.0"' }, { versions: [] }],
    ['an exponent', { ifMatch: '"a1b2c3-42-1e3"' }, { versions: [] }],
    ['hexadecimal', { ifMatch: '"a1b2c3-42-0x7"' }, { versions: [] }],
    ['something behind', { ifMatch: '"a1b2c3-42-7-gzip"' }, { versions: [] }],
    ['the largest version', { ifMatch: '"a1b2c3-42-2147483647"' }, { versions: [2147483647] }],
    ['one more', { ifMatch: '"a1b2c3-42-2147483648"' }, { versions: [] }],
    ['beyond safe integers', { ifMatch: '"a1b2c3-42-9007199254740993"' }, { versions: [] }],
    ['beyond numbers', { ifMatch: `"a1b2c3-42-${'9'.repeat(400)}"` }, { versions: [] }],
    ['malformed', { ifMatch: 'a1b2c3-42-7' }, { versions: [] }],
    ['malformed behind the tag', { ifMatch: '"a1b2c3-42-7", x' }, { versions: [] }],
    ['empty', { ifMatch: '' }, { versions: [] }],
    ['a date', { ifUnmodifiedSince: THEN }, { unmodifiedSince: THEN_MS }],
    ['an invalid date', { ifUnmodifiedSince: 'x' }, {}],
    ['a date beside If-Match', { ifMatch: '"a1b2c3-42-7"', ifUnmodifiedSince: THEN }, { versions: [7] }],
    ['a date beside a malformed If-Match', { ifMatch: 'x', ifUnmodifiedSince: THEN }, { versions: [] }],
    ['a date beside any', { ifMatch: '*', ifUnmodifiedSince: THEN }, {}],
    ['none of any', { ifNoneMatch: '*' }, { noneOf: '*' }],
    ['none of a tag', { ifNoneMatch: '"a1b2c3-42-7"' }, { noneOf: [7] }],
    ['none of a weak tag', { ifNoneMatch: 'W/"a1b2c3-42-7"' }, { noneOf: [7] }],
    ['none of foreign tags', { ifNoneMatch: '"ffffff-42-7", "x"' }, {}],
    ['none of something malformed', { ifNoneMatch: 'x' }, {}],
    ['both', { ifMatch: '"a1b2c3-42-7"', ifNoneMatch: '"a1b2c3-42-8"' }, { versions: [7], noneOf: [8] }],
  ])('%s', (_name, preconditions, expected) => {
    expect(preconditionsOf(preconditions, RESOURCE)).toEqual({ ...UNCONDITIONAL, ...expected });
  });
});

describe('failedPrecondition', () => {
  const row = { version: 7, updatedAtMs: CHANGED };

  test.each<[string, Partial<Preconditions>, boolean]>([
    ['nothing to check', {}, true],
    ['its version', { versions: [6, 7] }, true],
    ['other versions', { versions: [6, 8] }, false],
    ['no version', { versions: [] }, false],
    ['changed in that second', { unmodifiedSince: THEN_MS }, true],
    ['changed before', { unmodifiedSince: THEN_MS + 1000 }, true],
    ['changed after', { unmodifiedSince: THEN_MS - 1000 }, false],
    ['none of any', { noneOf: '*' }, false],
    ['none of its version', { noneOf: [7] }, false],
    ['none of others', { noneOf: [6, 8] }, true],
    ['all three hold', { versions: [7], unmodifiedSince: THEN_MS, noneOf: [6] }, true],
    ['one of three fails', { versions: [7], unmodifiedSince: THEN_MS, noneOf: [7] }, false],
  ])('%s: %j', (_name, conditions, expected) => {
    expect(failedPrecondition({ ...UNCONDITIONAL, ...conditions }, row) === undefined).toBe(expected);
  });
});

const someVersion = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 2 ** 31 - 1 }));
const someTag = fc.oneof(
  { weight: 4, arbitrary: someVersion.map((version) => rowEntityTag(RESOURCE, version)) },
  someVersion.map((version) => `W/${rowEntityTag(RESOURCE, version)}`),
  someVersion.map((version) => rowEntityTag(taggedResource('ffffff', 42), version)),
  fc.constantFrom(
    '',
    '"x"',
    '"a1b2c3-42-07"',
    '"a1b2c3-42-0"',
    '"a1b2c3-42-4294967297"',
    'x',
    '*',
    'w/"a1b2c3-42-1"',
  ),
);
const someTags = fc.oneof(
  { weight: 3, arbitrary: fc.array(someTag, { maxLength: 3 }).map((tags) => tags.join(', ')) },
  fc.constantFrom('*', ' * '),
  fc.string({ unit: 'binary' }),
);
const someTime = fc.integer({ min: CHANGED - 3000, max: CHANGED + 3000 });
const someDate = fc.oneof({ weight: 3, arbitrary: someTime.map(dateOf) }, fc.string({ unit: 'binary' }));
const somePreconditions: fc.Arbitrary<PreconditionHeaders> = fc.record(
  { ifMatch: someTags, ifNoneMatch: someTags, ifModifiedSince: someDate, ifUnmodifiedSince: someDate },
  { requiredKeys: [] },
);
const someRow = fc.record({ version: someVersion, updatedAtMs: someTime });

describe('any headers', () => {
  test('preconditionsOf and failedPrecondition decide about a row as evaluatePreconditions does', () => {
    fc.assert(
      fc.property(somePreconditions, someRow, fc.constantFrom(...UNSAFE), (preconditions, row, method) => {
        const current = {
          etag: rowEntityTag(RESOURCE, row.version),
          lastModified: dateOf(row.updatedAtMs),
        };
        const outcome = evaluatePreconditions({ method, ...preconditions }, current);
        expect(outcome).not.toBe('not-modified');
        const failed = failedPrecondition(preconditionsOf(preconditions, RESOURCE), row);
        expect(failed === undefined).toBe(outcome === 'proceed');
      }),
      { numRuns: 2000 },
    );
  });

  test('a safe method fails exactly where If-Match or If-Unmodified-Since fail a write', () => {
    fc.assert(
      fc.property(somePreconditions, someRow, (preconditions, row) => {
        const current = { etag: rowEntityTag(RESOURCE, row.version), lastModified: dateOf(row.updatedAtMs) };
        const { ifMatch, ifUnmodifiedSince } = preconditions;
        const onGet = evaluatePreconditions({ method: 'GET', ...preconditions }, current);
        const onPut = evaluatePreconditions({ method: 'PUT', ifMatch, ifUnmodifiedSince }, current);
        expect(onGet === 'failed').toBe(onPut === 'failed');
      }),
    );
  });

  test('without a representation only If-Match can fail', () => {
    fc.assert(
      fc.property(somePreconditions, fc.constantFrom(...SAFE, ...UNSAFE), (preconditions, method) => {
        const outcome = evaluatePreconditions({ method, ...preconditions }, null);
        expect(outcome).toBe(preconditions.ifMatch === undefined ? 'proceed' : 'failed');
      }),
    );
  });
});
