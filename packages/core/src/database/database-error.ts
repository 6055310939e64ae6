import { types } from 'node:util';

import { ApiError } from '../http/errors/api-error.js';
import { ErrorTranslator } from '../http/errors/to-api-error.js';
import { ErrorType } from '../http/errors/define-errors.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { DATABASE_ERROR, DATABASE_TIMEOUT, DATABASE_UNAVAILABLE } from './database.errors.js';

/** No connection is available: the server accepts none, or all of the pool stay in use for too long. */
export class ConnectionFailedError extends Error {
  override readonly name = 'ConnectionFailedError';
  readonly code: string | undefined;

  constructor(cause: unknown) {
    const { message, code } = (cause ?? {}) as { message?: string; code?: string };
    // A failed attempt at several addresses has no message.
    super(message || `no connection to the database (${code ?? 'unknown reason'})`, { cause });
    this.code = code;
  }
}

/** The errors that clients get, by their code (`node:net` or SQLSTATE), else by the message of `pg` and TypeORM. */
const DATABASE_ERROR_TYPES: readonly (readonly [RegExp, ErrorType])[] = [
  // The server is read-only, a lock is not available, or a conflict outlasts the retries.
  [/^(25006|55P03|40001|40P01)$/, DATABASE_UNAVAILABLE],
  [/^(57014|25P03|25P04|ETIMEDOUT)$|^Query read timeout/, DATABASE_TIMEOUT],
  // The connection or the server fails during the statement, or its outcome is unknown.
  [/^(40003|08...|57P..|53...|58...|XX...|F0...)$/, DATABASE_ERROR],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|ENETDOWN|ENETRESET|EHOSTUNREACH|ENETUNREACH)$/, DATABASE_ERROR],
  [/^(Connection terminated|Client has encountered a connection error|Client was closed)/, DATABASE_ERROR],
  [/^(Received unexpected \w+ message from backend|received invalid response)/, DATABASE_ERROR],
  // TypeORM releases a query runner whose connection is lost: what uses it or its manager next fails.
  [/^(Query runner|Database connection provided by a query runner was) already released/, DATABASE_ERROR],
  // A value that passed validation does not fit its column: too long, out of range, or of another type.
  [/^(22001|22003|22007|22008|22021|22P02|22P05)$/, HttpErrors.UNPROCESSABLE_ENTITY],
];

const SQLSTATE = /^([0-9][0-9A-Z]{4}|(F0|HV|P0|XX)[0-9A-Z]{3})$/;
/** SQLSTATEs after which a connection is not reused: closed, failing, read-only, or without a prepared statement. */
const UNUSABLE_AFTER = /^(08|0A|25006|25P03|25P04|26|28|3D|53|57P|58|F0|XX)/;

/** The SQLSTATE or system code of an error. TypeORM copies it from the driver's error. */
export function databaseErrorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

const serverRoutine = (error: unknown): unknown =>
  (error as { routine?: unknown } | null | undefined)?.routine;

export function isConnectionReusableAfter(error: unknown): boolean {
  const code = databaseErrorCode(error) ?? '';
  return SQLSTATE.test(code) && !UNUSABLE_AFTER.test(code);
}

/** Whether PostgreSQL refuses a statement for the values of one row, and may accept the other rows. */
export const isRowError = (error: unknown): boolean =>
  isConnectionReusableAfter(error) && !/^(57014|40003)$/.test(databaseErrorCode(error) ?? '');

/** Whether a retry resolves a conflict between transactions: serialization failure, deadlock. */
export const isConflict = (error: unknown): boolean => /^(40001|40P01)$/.test(databaseErrorCode(error) ?? '');

/** Whether a statement waited for a lock longer than `lock_timeout`; false for `nowait`. */
export const isLockTimeout = (error: unknown): boolean =>
  databaseErrorCode(error) === '55P03' && serverRoutine(error) === 'ProcessInterrupts';

/** Whether a prepared statement is outdated: a migration changed the table, or the session no longer has it. */
export function isStalePlan(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === '26000' || (code === '0A000' && serverRoutine(error) === 'RevalidateCachedQuery');
}

/** The name of the constraint that a statement violated. */
export const violatedConstraint = (error: unknown): string | undefined =>
  databaseErrorCode(error)?.startsWith('23') ? (error as { constraint?: string }).constraint : undefined;

export const translateDatabaseError: ErrorTranslator = (error) => {
  if (!types.isNativeError(error)) return undefined;
  const codeOrMessage = databaseErrorCode(error) ?? error.message;
  const type =
    error instanceof ConnectionFailedError
      ? DATABASE_UNAVAILABLE
      : DATABASE_ERROR_TYPES.find(([pattern]) => pattern.test(codeOrMessage))?.[1];
  if (!type) return undefined;
  const message =
    type === HttpErrors.UNPROCESSABLE_ENTITY ? 'A value is out of range for its column.' : type.summary;
  return new ApiError(type, message, { cause: error });
};
