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
/** The error as TypeORM wraps it. */
const asOrm = (code: string): Error => new QueryFailedError('select 1', [], asDriver(code));

function answerTo(error: unknown): string {
  const translated = translateDatabaseError(error);
  if (!translated) return 'not a database error';
  expect(translated.message).not.toContain('users');
  expect(translated.cause).toBe(error);
  const wait = translated.headers?.['retry-after'];
  return `${translated.status} ${translated.type.code}${wait ? `, again in ${wait} s` : ''}`;
}

const UNAVAILABLE = '503 DATABASE_UNAVAILABLE, again in 1 s';
const ILL = '502 DATABASE_ERROR';
const LATE = '504 DATABASE_TIMEOUT';
const A_BUG = 'not a database error';
const UNFIT = '422 UNPROCESSABLE_ENTITY';

test.each([
  ['25006', 'read only during a failover', UNAVAILABLE],
  ['55P03', 'lock not available', UNAVAILABLE],
  ['40001', 'serialization failure after all attempts', UNAVAILABLE],
  ['40P01', 'deadlock after all attempts', UNAVAILABLE],
  // The server drops the connection or fails during a query.
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
  ['EHOSTUNREACH', 'host unreachable', ILL],
  ['40003', 'statement completion unknown', ILL],
  // The server does not answer in time.
  ['57014', 'statement timeout', LATE],
  ['25P03', 'idle in transaction', LATE],
  ['25P04', 'transaction timeout', LATE],
  ['ETIMEDOUT', 'connection timed out', LATE],
  // A violated constraint, which the repository translates.
  ['23505', 'unique violation', A_BUG],
  ['23503', 'foreign key violation', A_BUG],
  ['23514', 'check violation', A_BUG],
  // A value that does not fit its column.
  ['22001', 'text too long', UNFIT],
  ['22003', 'numeric value out of range', UNFIT],
  ['22008', 'time out of range', UNFIT],
  ['22021', 'character not in repertoire', UNFIT],
  ['22P02', 'invalid text representation', UNFIT],
  // A bug of the service, or an error that does not come from the database.
  ['42601', 'syntax error', A_BUG],
  ['42P01', 'undefined table', A_BUG],
  ['25P02', 'in failed transaction', A_BUG],
  ['P0001', 'raised by a function', A_BUG],
  ['FST_ERR_VALIDATION', 'an error of Fastify', A_BUG],
  ['ERR_INVALID_ARG_TYPE', 'an error of Node.js', A_BUG],
  ['57P030', 'not an SQLSTATE', A_BUG],
])('translates %s (%s) to %s', (code, _meaning, answer) => {
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
])('translates the message %j without a code to %s', (message, answer) => {
  expect(answerTo(new Error(message))).toBe(answer);
});

test.each([
  ['ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.7:5432'],
  ['28P01', 'password authentication failed'],
  ['53300', 'sorry, too many clients already'],
  [undefined, 'Connection terminated unexpectedly'],
  [undefined, ''],
])('translates a failed connection (%s: %s) to 503', (code, message) => {
  const cause = Object.assign(new Error(message), { code });
  const error = new ConnectionFailedError(cause);
  expect(answerTo(error)).toBe(UNAVAILABLE);
  expect(error.message).toContain(message || 'unknown reason');
});

test('shows the code if all addresses of a host fail', () => {
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
])('decides whether a connection can be reused after %s: %s', (code, isKept) => {
  expect([isConnectionReusableAfter(asDriver(code)), isConnectionReusableAfter(asOrm(code))]).toEqual([
    isKept,
    isKept,
  ]);
});

test('does not reuse a connection after an error without a code', () => {
  for (const error of [new Error('Query read timeout'), undefined, true]) {
    expect(isConnectionReusableAfter(error)).toBe(false);
  }
});

test('treats serialization failures and deadlocks as conflicts, but not errors with an unknown outcome', () => {
  expect(
    ['40001', '40P01', '40003', '40000', 'ECONNRESET'].map((code) => isConflict(asDriver(code))),
  ).toEqual([true, true, false, false, false]);
});

test('attributes an error to one row only if nothing was written and the rows may be stored one by one', () => {
  expect(['23514', 'P0001', '57014', '40003', '57P01'].map((code) => isRowError(asDriver(code)))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('treats a plan as stale if its table has changed or the session has forgotten it', () => {
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

test('prefers the code of an error to its message', () => {
  expect(answerTo(Object.assign(new Error('Query read timeout'), { code: '42P01' }))).toBe(A_BUG);
});

test.each<[string, unknown]>([
  ['null', null],
  ['undefined', undefined],
  ['a string', 'ECONNREFUSED'],
  ['an object that is not an error', { code: 'ECONNREFUSED' }],
  ['a code that is a number', Object.assign(new Error('x'), { code: 57014 })],
])('does not treat %s as a database error', (_name, error) => {
  expect(translateDatabaseError(error)).toBeUndefined();
});

describe('violatedConstraint()', () => {
  const violation = { code: '23505', constraint: 'users_email_key' };
  const violationOnShard = (code: string, message: string): Error =>
    Object.assign(new Error(message), { code });
  test.each<[string, unknown, string | undefined]>([
    ['an error of the driver', violation, 'users_email_key'],
    [
      'an error of TypeORM',
      new QueryFailedError('', [], Object.assign(new Error(), violation)),
      'users_email_key',
    ],
    ['a violated check', { code: '23514', constraint: 'products_price_range' }, 'products_price_range'],
    ['an error of another class', { code: '42P01', constraint: 'x' }, undefined],
    ['an error without a constraint', { code: '23502' }, undefined],
    [
      'a duplicate key on a shard of Citus',
      violationOnShard(
        '23505',
        'duplicate key value violates unique constraint "order_items_product_key_102048"',
      ),
      'order_items_product_key',
    ],
    [
      'a missing reference on a shard of Citus',
      violationOnShard(
        '23503',
        'insert or update on table "order_items_102048" violates foreign key constraint "order_items_order_id_fkey_102048"',
      ),
      'order_items_order_id_fkey',
    ],
    [
      'a violated check on a shard of Citus',
      violationOnShard(
        '23514',
        'new row for relation "orders_102041" violates check constraint "orders_total_range"',
      ),
      'orders_total_range',
    ],
    ['a message with a short number', violationOnShard('23505', 'unique constraint "slots_2"'), 'slots_2'],
    [
      'an error with both',
      { ...violation, constraint: 'logins_102048', message: 'unique constraint "other"' },
      'logins_102048',
    ],
    [
      'a missing value on a shard of Citus',
      violationOnShard('23502', 'null value in column "total" of relation "orders_102041"'),
      undefined,
    ],
    ['null', null, undefined],
    ['an error without a code', new Error('x'), undefined],
  ])('returns the constraint, if any, of %s', (_name, error, constraint) => {
    expect(violatedConstraint(error)).toBe(constraint);
  });
});
