import type { IncomingHttpHeaders } from 'node:http';

import fc from 'fast-check';

import {
  type CurrentRepresentation,
  type WritePreconditions,
  evaluateRead,
  failedPrecondition,
  entityTagPrefix,
  UNCONDITIONAL,
  readPreconditions,
} from './preconditions.js';

const CHANGED = Date.UTC(2026, 0, 10, 12, 0, 0, 750);
const THEN_MS = Math.floor(CHANGED / 1000) * 1000;
const dateOf = (epochMs: number): string => new Date(epochMs).toUTCString();
const THEN = dateOf(CHANGED);
const EARLIER = dateOf(CHANGED - 1000);
const LATER = dateOf(CHANGED + 1000);

const RESOURCE = entityTagPrefix('a1b2c3', 42);
const tagOf = (version: number): string => `"${RESOURCE}-${version}"`;
const TAG = tagOf(7);
const CODINGS = ['-gzip', '-br', '-zstd', '-deflate'];
const OTHER_SUFFIXES = ['-x', 'gzip', '--gzip', '-gzip-x', '-gzip-gzip', ';gzip', '-GZIP', '-current'];
const suffixed = (suffix: string): string => `"${RESOURCE}-7${suffix}"`;

/** The conditional headers of a request. */
const given = (
  ifMatch?: string,
  ifNoneMatch?: string,
  ifUnmodifiedSince?: string,
  ifModifiedSince?: string,
): IncomingHttpHeaders => ({
  'if-match': ifMatch,
  'if-none-match': ifNoneMatch,
  'if-unmodified-since': ifUnmodifiedSince,
  'if-modified-since': ifModifiedSince,
});
const no = undefined;

describe('evaluateRead', () => {
  const row: CurrentRepresentation = { etag: TAG, lastModified: THEN };
  const list: CurrentRepresentation = { etag: TAG, lastModified: null };

  test.each<[string, IncomingHttpHeaders, ReturnType<typeof evaluateRead>]>([
    ['no condition', {}, 'proceed'],
    ['If-Match: *', given('*'), 'proceed'],
    ['If-Match: the tag in a list', given(`"x", ${TAG}`), 'proceed'],
    ['If-Match: another tag', given('"x"'), 'If-Match'],
    ['If-Match: the tag, weak', given(`W/${TAG}`), 'If-Match'],
    ['If-Match: empty', given(''), 'If-Match'],
    ['If-Match: the tag beside something malformed', given(`${TAG}, x`), 'If-Match'],
    ['If-Match holds, whatever the date', given('*', no, EARLIER), 'proceed'],
    ['If-Match fails, whatever the date', given('"x"', no, LATER), 'If-Match'],
    ['If-Match fails first', given('"x"', '*'), 'If-Match'],
    ['If-Unmodified-Since that second', given(no, no, THEN), 'proceed'],
    ['If-Unmodified-Since before', given(no, no, EARLIER), 'If-Unmodified-Since'],
    ['If-Unmodified-Since fails first', given(no, '*', EARLIER), 'If-Unmodified-Since'],
    ['If-Unmodified-Since that is no date', given(no, no, 'yesterday'), 'proceed'],
    ['If-None-Match: *', given(no, '*'), 'not-modified'],
    ['If-None-Match: the tag, weak, in a list', given(no, `"x",, W/${TAG} ,`), 'not-modified'],
    ['If-None-Match: another tag', given(no, '"x"'), 'proceed'],
    ['If-None-Match goes before the date', given(no, '"x"', no, LATER), 'proceed'],
    ['If-None-Match, malformed, goes before the date', given(no, 'x', no, LATER), 'proceed'],
    ['If-Match holds, then If-None-Match', given('*', '*'), 'not-modified'],
    ['If-Modified-Since that second', given(no, no, no, THEN), 'not-modified'],
    ['If-Modified-Since before', given(no, no, no, EARLIER), 'proceed'],
    ['If-Modified-Since that is no date', given(no, no, no, 'tomorrow'), 'proceed'],
    ['both dates', given(no, no, THEN, THEN), 'not-modified'],
    ...CODINGS.flatMap((coding): [string, IncomingHttpHeaders, ReturnType<typeof evaluateRead>][] => [
      [`If-None-Match: the tag of a proxy, ${coding}`, given(no, suffixed(coding)), 'not-modified'],
      [`If-None-Match: that tag, weak, ${coding}`, given(no, `W/${suffixed(coding)}`), 'not-modified'],
      [`If-Match: the tag of a proxy, ${coding}`, given(suffixed(coding)), 'proceed'],
    ]),
    ...OTHER_SUFFIXES.flatMap((suffix): [string, IncomingHttpHeaders, ReturnType<typeof evaluateRead>][] => [
      [`If-None-Match: the tag with ${suffix}`, given(no, suffixed(suffix)), 'proceed'],
      [`If-Match: the tag with ${suffix}`, given(suffixed(suffix)), 'If-Match'],
    ]),
  ])('%s', (_name, headers, outcome) => {
    expect(evaluateRead(headers, row)).toBe(outcome);
  });

  test('ignores dates where the resource has none', () => {
    expect(evaluateRead(given(no, no, EARLIER, LATER), list)).toBe('proceed');
    expect(evaluateRead(given(no, TAG), list)).toBe('not-modified');
  });
});

test.each<[string, IncomingHttpHeaders, Partial<WritePreconditions>]>([
  ['nothing', {}, {}],
  ['a date of reads', given(no, no, no, THEN), {}],
  ['a list', given('"a1b2c3-42-7", "a1b2c3-42-9"'), { versions: [7, 9] }],
  ['any', given('*'), {}],
  ['weak and strong', given('W/"a1b2c3-42-7", "a1b2c3-42-8"'), { versions: [8] }],
  ['another representation', given('"ffffff-42-7"'), { versions: [] }],
  ['a row whose id begins alike', given('"a1b2c3-421-7"'), { versions: [] }],
  ['the login that is the current one', given('"a1b2c3-42-7-current"'), { versions: [7] }],
  ['that one through a proxy', given('"a1b2c3-42-7-current-br"'), { versions: [7] }],
  ...CODINGS.map((coding): [string, IncomingHttpHeaders, Partial<WritePreconditions>] => [
    `a version through a proxy, ${coding}`,
    given(suffixed(coding), suffixed(coding)),
    { versions: [7], noneOf: [7] },
  ]),
  ...OTHER_SUFFIXES.filter((suffix) => suffix !== '-current').map(
    (suffix): [string, IncomingHttpHeaders, Partial<WritePreconditions>] => [
      `a version with ${suffix}`,
      given(suffixed(suffix)),
      { versions: [] },
    ],
  ),
  ['version 0', given('"a1b2c3-42-0"'), { versions: [] }],
  ['the largest version', given('"a1b2c3-42-2147483647"'), { versions: [2147483647] }],
  ['one more', given('"a1b2c3-42-2147483648"'), { versions: [] }],
  ['beyond numbers', given(`"a1b2c3-42-${'9'.repeat(400)}"`), { versions: [] }],
  ['malformed behind the tag', given('"a1b2c3-42-7", x'), { versions: [] }],
  ['empty', given(''), { versions: [] }],
  ['a date', given(no, no, THEN), { unmodifiedSince: THEN_MS }],
  ['an invalid date', given(no, no, 'x'), {}],
  ['a date beside a malformed If-Match', given('x', no, THEN), { versions: [] }],
  ['none of any', given(no, '*'), { noneOf: '*' }],
  ['none of a weak tag', given(no, 'W/"a1b2c3-42-7"'), { noneOf: [7] }],
  ['none of foreign tags', given(no, '"ffffff-42-7", "x"'), {}],
  ['none of something malformed', given(no, 'x'), {}],
  ['both', given('"a1b2c3-42-7"', '"a1b2c3-42-8"'), { versions: [7], noneOf: [8] }],
])('preconditionsOf: %s', (_name, headers, expected) => {
  expect(readPreconditions(headers, RESOURCE)).toEqual({ ...UNCONDITIONAL, ...expected });
});

test('a read fails exactly where a write does, and is not modified where a write fails by If-None-Match', () => {
  const version = fc.integer({ min: 1, max: 4 });
  const tag = fc.oneof(
    version.map(tagOf),
    version.map((each) => `W/${tagOf(each)}`),
    fc.constantFrom(...CODINGS, ...OTHER_SUFFIXES.slice(0, -1)).map(suffixed),
    fc.constantFrom('', '"x"', '"a1b2c3-42-07"', 'x', '*'),
  );
  const tags = fc.oneof(
    fc.array(tag, { maxLength: 3 }).map((each) => each.join(', ')),
    // Code units of any kind; fast-check's own strings of them build a table of all code points first.
    fc.uint16Array().map((units) => String.fromCharCode(...units)),
  );
  const time = fc.integer({ min: CHANGED - 3000, max: CHANGED + 3000 });
  const headers = fc.record(
    { 'if-match': tags, 'if-none-match': tags, 'if-unmodified-since': time.map(dateOf) },
    { requiredKeys: [] },
  );
  const row = fc.record({ version, updatedAtMs: time });
  fc.assert(
    fc.property(headers, row, (sent, { version: current, updatedAtMs }) => {
      const representation = { etag: tagOf(current), lastModified: dateOf(updatedAtMs) };
      const onRead = evaluateRead(sent, representation);
      const onWrite = failedPrecondition(readPreconditions(sent, RESOURCE), {
        version: current,
        updatedAtMs,
      });
      const expected = onWrite === 'If-None-Match' ? 'not-modified' : (onWrite ?? 'proceed');
      expect(onRead).toBe(expected);
    }),
    { numRuns: 300 },
  );
});
