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

/** Builds the conditional headers of a request. */
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
    ['If-Match: the weak tag', given(`W/${TAG}`), 'If-Match'],
    ['If-Match: empty', given(''), 'If-Match'],
    ['If-Match: the tag and a malformed one', given(`${TAG}, x`), 'If-Match'],
    ['If-Match that holds, and a date that fails', given('*', no, EARLIER), 'proceed'],
    ['If-Match that fails, and a date that holds', given('"x"', no, LATER), 'If-Match'],
    ['If-Match and If-None-Match that both fail', given('"x"', '*'), 'If-Match'],
    ['If-Unmodified-Since the second of the change', given(no, no, THEN), 'proceed'],
    ['If-Unmodified-Since an earlier second', given(no, no, EARLIER), 'If-Unmodified-Since'],
    ['If-Unmodified-Since and If-None-Match that both fail', given(no, '*', EARLIER), 'If-Unmodified-Since'],
    ['If-Unmodified-Since that is not a date', given(no, no, 'yesterday'), 'proceed'],
    ['If-None-Match: *', given(no, '*'), 'not-modified'],
    ['If-None-Match: the weak tag in a list', given(no, `"x",, W/${TAG} ,`), 'not-modified'],
    ['If-None-Match: another tag', given(no, '"x"'), 'proceed'],
    [
      'If-None-Match that holds, and a date that would not be modified',
      given(no, '"x"', no, LATER),
      'proceed',
    ],
    [
      'a malformed If-None-Match, and a date that would not be modified',
      given(no, 'x', no, LATER),
      'proceed',
    ],
    ['If-Match that holds, and If-None-Match that fails', given('*', '*'), 'not-modified'],
    ['If-Modified-Since the second of the change', given(no, no, no, THEN), 'not-modified'],
    ['If-Modified-Since an earlier second', given(no, no, no, EARLIER), 'proceed'],
    ['If-Modified-Since that is not a date', given(no, no, no, 'tomorrow'), 'proceed'],
    ['both dates', given(no, no, THEN, THEN), 'not-modified'],
    ...CODINGS.flatMap((coding): [string, IncomingHttpHeaders, ReturnType<typeof evaluateRead>][] => [
      [`If-None-Match: the tag of a proxy, ${coding}`, given(no, suffixed(coding)), 'not-modified'],
      [
        `If-None-Match: the weak tag of a proxy, ${coding}`,
        given(no, `W/${suffixed(coding)}`),
        'not-modified',
      ],
      [`If-Match: the tag of a proxy, ${coding}`, given(suffixed(coding)), 'proceed'],
    ]),
    ...OTHER_SUFFIXES.flatMap((suffix): [string, IncomingHttpHeaders, ReturnType<typeof evaluateRead>][] => [
      [`If-None-Match: the tag with ${suffix}`, given(no, suffixed(suffix)), 'proceed'],
      [`If-Match: the tag with ${suffix}`, given(suffixed(suffix)), 'If-Match'],
    ]),
  ])('decides a read with %s', (_name, headers, outcome) => {
    expect(evaluateRead(headers, row)).toBe(outcome);
  });

  test('ignores dates if the resource has none', () => {
    expect(evaluateRead(given(no, no, EARLIER, LATER), list)).toBe('proceed');
    expect(evaluateRead(given(no, TAG), list)).toBe('not-modified');
  });
});

test.each<[string, IncomingHttpHeaders, Partial<WritePreconditions>]>([
  ['no header', {}, {}],
  ['If-Modified-Since, which only reads use', given(no, no, no, THEN), {}],
  ['If-Match with a list', given('"a1b2c3-42-7", "a1b2c3-42-9"'), { versions: [7, 9] }],
  ['If-Match: *', given('*'), {}],
  ['If-Match with a weak and a strong tag', given('W/"a1b2c3-42-7", "a1b2c3-42-8"'), { versions: [8] }],
  ['If-Match with the tag of another representation', given('"ffffff-42-7"'), { versions: [] }],
  [
    'If-Match with the tag of a row whose id begins with the same digits',
    given('"a1b2c3-421-7"'),
    { versions: [] },
  ],
  ['If-Match with the tag of the current login', given('"a1b2c3-42-7-current"'), { versions: [7] }],
  [
    'If-Match with the tag of the current login from a proxy',
    given('"a1b2c3-42-7-current-br"'),
    { versions: [7] },
  ],
  ...CODINGS.map((coding): [string, IncomingHttpHeaders, Partial<WritePreconditions>] => [
    `If-Match and If-None-Match with the tag of a proxy, ${coding}`,
    given(suffixed(coding), suffixed(coding)),
    { versions: [7], noneOf: [7] },
  ]),
  ...OTHER_SUFFIXES.filter((suffix) => suffix !== '-current').map(
    (suffix): [string, IncomingHttpHeaders, Partial<WritePreconditions>] => [
      `If-Match with the suffix ${suffix}`,
      given(suffixed(suffix)),
      { versions: [] },
    ],
  ),
  ['If-Match with version 0', given('"a1b2c3-42-0"'), { versions: [] }],
  ['If-Match with the largest version', given('"a1b2c3-42-2147483647"'), { versions: [2147483647] }],
  ['If-Match with a version beyond the largest', given('"a1b2c3-42-2147483648"'), { versions: [] }],
  ['If-Match with a version beyond all numbers', given(`"a1b2c3-42-${'9'.repeat(400)}"`), { versions: [] }],
  ['If-Match with malformed text after the tag', given('"a1b2c3-42-7", x'), { versions: [] }],
  ['an empty If-Match', given(''), { versions: [] }],
  ['If-Unmodified-Since', given(no, no, THEN), { unmodifiedSince: THEN_MS }],
  ['an invalid If-Unmodified-Since', given(no, no, 'x'), {}],
  ['If-Unmodified-Since and a malformed If-Match', given('x', no, THEN), { versions: [] }],
  ['If-None-Match: *', given(no, '*'), { noneOf: '*' }],
  ['If-None-Match with a weak tag', given(no, 'W/"a1b2c3-42-7"'), { noneOf: [7] }],
  ['If-None-Match with foreign tags', given(no, '"ffffff-42-7", "x"'), {}],
  ['a malformed If-None-Match', given(no, 'x'), {}],
  ['If-Match and If-None-Match', given('"a1b2c3-42-7"', '"a1b2c3-42-8"'), { versions: [7], noneOf: [8] }],
])('reads the preconditions of a write from %s', (_name, headers, expected) => {
  expect(readPreconditions(headers, RESOURCE)).toEqual({ ...UNCONDITIONAL, ...expected });
});

test('makes the same decision for a read and a write with the same headers', () => {
  const version = fc.integer({ min: 1, max: 4 });
  const tag = fc.oneof(
    version.map(tagOf),
    version.map((each) => `W/${tagOf(each)}`),
    fc.constantFrom(...CODINGS, ...OTHER_SUFFIXES.slice(0, -1)).map(suffixed),
    fc.constantFrom('', '"x"', '"a1b2c3-42-07"', 'x', '*'),
  );
  const tags = fc.oneof(
    fc.array(tag, { maxLength: 3 }).map((each) => each.join(', ')),
    // Use UTF-16 code units, because fast-check's own strings first build a table of all code points.
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
