import { QueryFailedError } from 'typeorm';

import {
  ConnectionFailedError,
  isConflict,
  isRowError,
  isStalePlan,
  isConnectionReusableAfter,
  translateDatabaseError,
  violatedConstraint,
} from './database-error.js';

const LEAK = 'relation "users" at 10.0.0.7:5432';

const asDriver = (code: string): Error => Object.assign(new Error(LEAK), { code });
/** As TypeORM wraps it. */
const asOrm = (code: string): Error => new QueryFailedError('select 1', [], asDriver(code));

function answerTo(error: unknown): string {
  const translated = translateDatabaseError(error);
  if (!translated) return 'none of the database';
  expect(translated.message).not.toContain('users');
  expect(translated.cause).toBe(error);
  const wait = translated.headers?.['retry-after'];
  return `${translated.status} ${translated.type.code}${wait ? `, again in ${wait} s` : ''}`;
}

const UNAVAILABLE = '503 DATABASE_UNAVAILABLE, again in 1 s';
const ILL = '502 DATABASE_ERROR';
const LATE = '504 DATABASE_TIMEOUT';
const A_BUG = 'none of the database';
const UNFIT = '422 UNPROCESSABLE_ENTITY';

test.each([
  ['25006', 'read only: a failover is on', UNAVAILABLE],
  ['55P03', 'lock not available', UNAVAILABLE],
  ['40001', 'serialization failure, again and again', UNAVAILABLE],
  ['40P01', 'deadlock, again and again', UNAVAILABLE],
  // It drops the connection, or falls ill, in mid-query.
  ['57P01', 'shut down by the administrator', ILL],
  ['08000', 'connection exception', ILL],
  ['08P01', 'protocol violation', ILL],
  ['53000', 'out of resources', ILL],
  ['58000', 'system error', ILL],
  ['XX000', 'internal error', ILL],
  ['F0000', 'error in the configuration file', ILL],
  ['ECONNRESET', 'connection reset', ILL],
  ['ECONNABORTED', 'connection aborted', ILL],
  ['EPIPE', 'connection closed', ILL],
  ['EHOSTUNREACH', 'no way to the host any more', ILL],
  ['40003', 'whether the statement was completed is unknown', ILL],
  // It does not answer in time.
  ['57014', 'statement timeout', LATE],
  ['25P03', 'idle in transaction', LATE],
  ['25P04', 'transaction timeout', LATE],
  ['ETIMEDOUT', 'connection timed out', LATE],
  // A bug, or a constraint that the repository knows.
  ['23505', 'unique violation', A_BUG],
  ['23503', 'foreign key violation', A_BUG],
  ['23514', 'check violation', A_BUG],
  ['22001', 'text too long', UNFIT],
  ['22003', 'numeric value out of range', UNFIT],
  ['22008', 'time out of range', UNFIT],
  ['22021', 'character not in repertoire', UNFIT],
  ['22P02', 'invalid text representation', UNFIT],
  ['42601', 'syntax error', A_BUG],
  ['42P01', 'undefined table', A_BUG],
  ['25P02', 'in failed transaction', A_BUG],
  ['P0001', 'raised by a function', A_BUG],
  ['FST_ERR_VALIDATION', 'not of the database', A_BUG],
  ['ERR_INVALID_ARG_TYPE', 'not of the database', A_BUG],
  ['57P030', 'no SQLSTATE', A_BUG],
])('%s (%s): %s', (code, _meaning, answer) => {
  expect(answerTo(asDriver(code))).toBe(answer);
  expect(answerTo(asOrm(code))).toBe(answer);
});

test.each([
  ['Query read timeout', LATE],
  ['Connection terminated unexpectedly', ILL],
  ['Connection terminated', ILL],
  ['Client has encountered a connection error and is not queryable', ILL],
  ['Client was closed and is not queryable', ILL],
  ['Received unexpected commandComplete message from backend.', ILL],
  ['received invalid response: 48', ILL],
  ['Query runner already released. Cannot run queries anymore.', ILL],
  ["Cannot read properties of undefined (reading 'id')", A_BUG],
  ['', A_BUG],
])('without a code, %j: %s', (message, answer) => {
  expect(answerTo(new Error(message))).toBe(answer);
});

test.each([
  ['ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.7:5432'],
  ['28P01', 'password authentication failed'],
  ['53300', 'sorry, too many clients already'],
  [undefined, 'Connection terminated unexpectedly'],
  [undefined, ''],
])('there is no connection, for %s (%s): 503', (code, message) => {
  const cause = Object.assign(new Error(message), { code });
  const error = new ConnectionFailedError(cause);
  expect(answerTo(error)).toBe(UNAVAILABLE);
  expect(error.message).toContain(message || 'unknown reason');
});

test('an attempt at several addresses names its code', () => {
  const cause = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  expect(new ConnectionFailedError(cause).message).toContain('ECONNREFUSED');
});

test.each([
  ['23505', true],
  ['40001', true],
  ['57014', true],
  ['25P02', true],
  ['25006', false],
  ['26000', false],
  ['0A000', false],
  ['57P01', false],
  ['XX000', false],
  ['ECONNRESET', false],
])('whether a connection is used again after %s: %s', (code, isKept) => {
  expect([isConnectionReusableAfter(asDriver(code)), isConnectionReusableAfter(asOrm(code))]).toEqual([
    isKept,
    isKept,
  ]);
});

test('no connection is used again after an error without a code', () => {
  for (const error of [new Error('Query read timeout'), undefined, true]) {
    expect(isConnectionReusableAfter(error)).toBe(false);
  }
});

test('a conflict is one of transactions that were given up, not one whose end is unknown', () => {
  expect(
    ['40001', '40P01', '40003', '40000', 'ECONNRESET'].map((code) => isConflict(asDriver(code))),
  ).toEqual([true, true, false, false, false]);
});

test('an error is of one row where nothing was done and the rows may be stored one by one', () => {
  expect(['23514', 'P0001', '57014', '40003', '57P01'].map((code) => isRowError(asDriver(code)))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('a plan is stale where the table changed or the session forgot it', () => {
  const changed = Object.assign(asDriver('0A000'), { routine: 'RevalidateCachedQuery' });
  const others = [asDriver('0A000'), asDriver('42P01'), new Error('x'), undefined];
  expect([changed, asDriver('26000'), ...others].map(isStalePlan)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('a code goes before the message', () => {
  expect(answerTo(Object.assign(new Error('Query read timeout'), { code: '42P01' }))).toBe(A_BUG);
});

test.each<[string, unknown]>([
  ['null', null],
  ['undefined', undefined],
  ['a text', 'ECONNREFUSED'],
  ['an object that is no error', { code: 'ECONNREFUSED' }],
  ['a code that is a number', Object.assign(new Error('x'), { code: 57014 })],
])('%s is none of the database', (_name, error) => {
  expect(translateDatabaseError(error)).toBeUndefined();
});

describe('violatedConstraint', () => {
  const violation = { code: '23505', constraint: 'users_email_key' };
  test.each<[string, unknown, string | undefined]>([
    ['of the driver', violation, 'users_email_key'],
    ['of TypeORM', new QueryFailedError('', [], Object.assign(new Error(), violation)), 'users_email_key'],
    ['of a check', { code: '23514', constraint: 'products_price_range' }, 'products_price_range'],
    ['of another class of errors', { code: '42P01', constraint: 'x' }, undefined],
    ['of an error without one', { code: '23502' }, undefined],
    ['of no error', null, undefined],
    ['of an error without a code', new Error('x'), undefined],
  ])('%s', (_name, error, constraint) => {
    expect(violatedConstraint(error)).toBe(constraint);
  });
});
