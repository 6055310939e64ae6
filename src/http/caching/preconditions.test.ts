import fc from 'fast-check';

import { httpDateOf } from './http-date.js';
import {
  type CurrentRepresentation,
  type PreconditionOutcome,
  type PreconditionHeaders,
  evaluatePreconditions,
  NO_PRECONDITIONS,
  readPreconditions,
} from './preconditions.js';

const SAFE = ['GET', 'HEAD'];
const UNSAFE = ['PUT', 'PATCH', 'DELETE', 'POST'];

const CHANGED = Date.UTC(2026, 0, 10, 12, 0, 0, 750);
const dateOf = (epochMs: number): string => httpDateOf(new Date(epochMs).toISOString());
const THEN = dateOf(CHANGED);
const EARLIER = dateOf(CHANGED - 1000);
const LATER = dateOf(CHANGED + 1000);

const ROW: CurrentRepresentation = { etag: '"abc-7"', lastModified: THEN };
const LIST: CurrentRepresentation = { etag: '"abc-7"', lastModified: null };
const WEAK: CurrentRepresentation = { etag: 'W/"abc-7"', lastModified: THEN };

type Case = [
  name: string,
  preconditions: PreconditionHeaders,
  current: CurrentRepresentation | null,
  onSafe: PreconditionOutcome,
  onUnsafe: PreconditionOutcome,
];

const STEP_1: Case[] = [
  ['* and a representation', { ifMatch: '*' }, ROW, 'proceed', 'proceed'],
  ['* and none', { ifMatch: '*' }, null, 'failed', 'failed'],
  ['the tag', { ifMatch: '"abc-7"' }, ROW, 'proceed', 'proceed'],
  ['the tag in a list', { ifMatch: '"x", "abc-7"' }, ROW, 'proceed', 'proceed'],
  ['the tag, no representation', { ifMatch: '"abc-7"' }, null, 'failed', 'failed'],
  ['another tag', { ifMatch: '"abc-6"' }, ROW, 'failed', 'failed'],
  ['the tag, weak: strong comparison', { ifMatch: 'W/"abc-7"' }, ROW, 'failed', 'failed'],
  ['a weak current tag', { ifMatch: '"abc-7"' }, WEAK, 'failed', 'failed'],
  ['both weak', { ifMatch: 'W/"abc-7"' }, WEAK, 'failed', 'failed'],
  ['an empty value', { ifMatch: '' }, ROW, 'failed', 'failed'],
  ['an empty list', { ifMatch: ', ,' }, ROW, 'failed', 'failed'],
  ['malformed', { ifMatch: 'abc-7' }, ROW, 'failed', 'failed'],
  ['the tag beside something malformed', { ifMatch: '"abc-7", x' }, ROW, 'failed', 'failed'],
  ['* in a list', { ifMatch: '*, "abc-7"' }, ROW, 'failed', 'failed'],
  ['true, a date that fails', { ifMatch: '*', ifUnmodifiedSince: EARLIER }, ROW, 'proceed', 'proceed'],
  ['false, a date that holds', { ifMatch: '"x"', ifUnmodifiedSince: LATER }, ROW, 'failed', 'failed'],
];

const STEP_2: Case[] = [
  ['changed before', { ifUnmodifiedSince: LATER }, ROW, 'proceed', 'proceed'],
  ['changed in that second', { ifUnmodifiedSince: THEN }, ROW, 'proceed', 'proceed'],
  ['changed after', { ifUnmodifiedSince: EARLIER }, ROW, 'failed', 'failed'],
  ['invalid', { ifUnmodifiedSince: 'yesterday' }, ROW, 'proceed', 'proceed'],
  ['empty', { ifUnmodifiedSince: '' }, ROW, 'proceed', 'proceed'],
  ['two dates', { ifUnmodifiedSince: `${EARLIER}, ${EARLIER}` }, ROW, 'proceed', 'proceed'],
  ['no modification date', { ifUnmodifiedSince: EARLIER }, LIST, 'proceed', 'proceed'],
  ['no representation', { ifUnmodifiedSince: EARLIER }, null, 'proceed', 'proceed'],
];

const STEP_3: Case[] = [
  ['* and a representation', { ifNoneMatch: '*' }, ROW, 'not-modified', 'failed'],
  ['* and none', { ifNoneMatch: '*' }, null, 'proceed', 'proceed'],
  ['the tag', { ifNoneMatch: '"abc-7"' }, ROW, 'not-modified', 'failed'],
  ['the tag of a list', { ifNoneMatch: '"abc-7"' }, LIST, 'not-modified', 'failed'],
  ['the tag, weak: weak comparison', { ifNoneMatch: 'W/"abc-7"' }, ROW, 'not-modified', 'failed'],
  ['a weak current tag', { ifNoneMatch: '"abc-7"' }, WEAK, 'not-modified', 'failed'],
  ['both weak', { ifNoneMatch: 'W/"abc-7"' }, WEAK, 'not-modified', 'failed'],
  ['the tag in a list', { ifNoneMatch: '"x",, W/"abc-7" ,' }, ROW, 'not-modified', 'failed'],
  ['the tag, no representation', { ifNoneMatch: '"abc-7"' }, null, 'proceed', 'proceed'],
  ['another tag', { ifNoneMatch: '"abc-6"' }, ROW, 'proceed', 'proceed'],
  ['an empty value', { ifNoneMatch: '' }, ROW, 'proceed', 'proceed'],
  ['malformed', { ifNoneMatch: 'abc-7' }, ROW, 'proceed', 'proceed'],
  ['the tag beside something malformed', { ifNoneMatch: '"abc-7", x' }, ROW, 'proceed', 'proceed'],
  ['true, a date that says 304', { ifNoneMatch: '"x"', ifModifiedSince: LATER }, ROW, 'proceed', 'proceed'],
  [
    'malformed, a date that says 304',
    { ifNoneMatch: 'x', ifModifiedSince: LATER },
    ROW,
    'proceed',
    'proceed',
  ],
  ['false, an older date', { ifNoneMatch: '*', ifModifiedSince: EARLIER }, ROW, 'not-modified', 'failed'],
];

const STEP_4: Case[] = [
  ['changed before', { ifModifiedSince: LATER }, ROW, 'not-modified', 'proceed'],
  ['changed in that second', { ifModifiedSince: THEN }, ROW, 'not-modified', 'proceed'],
  ['changed after', { ifModifiedSince: EARLIER }, ROW, 'proceed', 'proceed'],
  ['invalid', { ifModifiedSince: 'tomorrow' }, ROW, 'proceed', 'proceed'],
  ['two dates', { ifModifiedSince: `${LATER}, ${LATER}` }, ROW, 'proceed', 'proceed'],
  ['no modification date', { ifModifiedSince: LATER }, LIST, 'proceed', 'proceed'],
  ['no representation', { ifModifiedSince: LATER }, null, 'proceed', 'proceed'],
];

const TOGETHER: Case[] = [
  ['If-Match holds, then If-None-Match', { ifMatch: '*', ifNoneMatch: '*' }, ROW, 'not-modified', 'failed'],
  ['If-Match fails first', { ifMatch: '"x"', ifNoneMatch: '*' }, ROW, 'failed', 'failed'],
  ['If-Match holds, then a date', { ifMatch: '*', ifModifiedSince: THEN }, ROW, 'not-modified', 'proceed'],
  ['both dates hold', { ifUnmodifiedSince: THEN, ifModifiedSince: EARLIER }, ROW, 'proceed', 'proceed'],
  [
    'If-Unmodified-Since holds, then If-Modified-Since',
    { ifUnmodifiedSince: THEN, ifModifiedSince: THEN },
    ROW,
    'not-modified',
    'proceed',
  ],
  [
    'If-Unmodified-Since fails first',
    { ifUnmodifiedSince: EARLIER, ifNoneMatch: '*' },
    ROW,
    'failed',
    'failed',
  ],
  ['no condition', {}, ROW, 'proceed', 'proceed'],
  ['no condition, no representation', {}, null, 'proceed', 'proceed'],
];

describe.each([
  ['step 1, If-Match', STEP_1],
  ['step 2, If-Unmodified-Since', STEP_2],
  ['step 3, If-None-Match', STEP_3],
  ['step 4, If-Modified-Since', STEP_4],
  ['several', TOGETHER],
])('evaluatePreconditions, %s', (_step, cases) => {
  test.each(cases)('%s', (_name, preconditions, current, onSafe, onUnsafe) => {
    for (const method of SAFE) {
      expect([method, evaluatePreconditions({ method, ...preconditions }, current)]).toEqual([
        method,
        onSafe,
      ]);
    }
    for (const method of UNSAFE) {
      expect([method, evaluatePreconditions({ method, ...preconditions }, current)]).toEqual([
        method,
        onUnsafe,
      ]);
    }
  });
});

describe('evaluatePreconditions', () => {
  test.each(['OPTIONS', 'TRACE', 'CONNECT'])('ignores every condition on %s (§13.2.1)', (method) => {
    const request = { method, ifMatch: '"x"', ifNoneMatch: '*', ifUnmodifiedSince: EARLIER };
    expect(evaluatePreconditions(request, ROW)).toBe('proceed');
  });

  test('takes what was sent as ETag and Last-Modified for unmodified, to the millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (changedMs) => {
        const sent = dateOf(changedMs);
        const current = { etag: '"a-1"', lastModified: sent };
        const outcomes = [
          evaluatePreconditions({ method: 'GET', ifModifiedSince: sent }, current),
          evaluatePreconditions({ method: 'GET', ifNoneMatch: current.etag }, current),
          evaluatePreconditions({ method: 'PUT', ifUnmodifiedSince: sent }, current),
          evaluatePreconditions({ method: 'PUT', ifMatch: current.etag }, current),
        ];
        expect(outcomes).toEqual(['not-modified', 'not-modified', 'proceed', 'proceed']);
      }),
    );
  });
});

describe('readPreconditions', () => {
  test('gives one frozen object when there is nothing', () => {
    expect(readPreconditions({ host: 'a', accept: '*/*' })).toBe(NO_PRECONDITIONS);
    expect(Object.isFrozen(NO_PRECONDITIONS)).toBe(true);
  });

  test('picks each header', () => {
    const headers = {
      'if-match': '"a"',
      'if-none-match': '"b"',
      'if-modified-since': THEN,
      'if-unmodified-since': LATER,
    };
    expect(readPreconditions(headers)).toEqual({
      ifMatch: '"a"',
      ifNoneMatch: '"b"',
      ifModifiedSince: THEN,
      ifUnmodifiedSince: LATER,
    });
  });

  test('an empty header is there', () => {
    expect(readPreconditions({ 'if-match': '' })).toEqual({ ifMatch: '' });
  });
});
