import { types } from 'node:util';

import { ApiError } from '../http/errors/api-error.js';
import { ErrorTranslator } from '../http/errors/to-api-error.js';
import { ErrorType } from '../http/errors/define-errors.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { DATABASE_ERROR, DATABASE_TIMEOUT, DATABASE_UNAVAILABLE } from './database.errors.js';

/**
 * Means that no connection is available: the server accepts none, or all connections of the pool stay in use for too
 * long.
 */
export class ConnectionFailedError extends Error {
  override readonly name = 'ConnectionFailedError';
  readonly code: string | undefined;

  constructor(cause: unknown) {
    const { message, code } = (cause ?? {}) as { message?: string; code?: string };
    // If a host has several addresses and all of them fail, the error has no message.
    super(message || `no connection to the database (${code ?? 'unknown reason'})`, { cause });
    this.code = code;
  }
}

/** The connection or the server went away. A pattern as in `DATABASE_ERROR_TYPES`. */
const CONNECTION_LOST =
  /^((08...|57P..|ECONNRESET|ECONNABORTED|EPIPE|ENETDOWN|ENETRESET|EHOSTUNREACH|ENETUNREACH)$|Connection terminated|Client has encountered a connection error|Client was closed)/;

/**
 * The errors that clients get. A pattern matches the code of a database error (SQLSTATE or `node:net`). If the error
 * has no code, the pattern matches the message of `pg` or TypeORM.
 */
const DATABASE_ERROR_TYPES: readonly (readonly [RegExp, ErrorType])[] = [
  // The server is read-only, a lock is not available, or a conflict remains after all retries.
  [/^(25006|55P03|40001|40P01)$/, DATABASE_UNAVAILABLE],
  [/^(57014|25P03|25P04|ETIMEDOUT)$|^Query read timeout/, DATABASE_TIMEOUT],
  // The connection or the server fails during the statement, or its outcome is unknown.
  [/^(40003|53...|58...|XX...|F0...)$/, DATABASE_ERROR],
  [CONNECTION_LOST, DATABASE_ERROR],
  [/^(Received unexpected \w+ message from backend|received invalid response)/, DATABASE_ERROR],
  // TypeORM releases a query runner whose connection is lost. The next use of the runner or of its manager fails.
  [/^(Query runner|Database connection provided by a query runner was) already released/, DATABASE_ERROR],
  // A value that passed validation does not fit its column: too long, out of range, or of another type.
  [/^(22001|22003|22007|22008|22021|22P02|22P05)$/, HttpErrors.UNPROCESSABLE_ENTITY],
];

const SQLSTATE = /^([0-9][0-9A-Z]{4}|(F0|HV|P0|XX)[0-9A-Z]{3})$/;
/**
 * SQLSTATEs after which a connection is not reused. The connection is closed, failing or read-only, or one of its
 * prepared statements is missing or outdated.
 */
const UNUSABLE_AFTER = /^(08|0A|25006|25P03|25P04|26|28|3D|53|57P|58|F0|XX)/;

/** The SQLSTATE or system code of an error. TypeORM copies it from the driver's error. */
export function databaseErrorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

const serverRoutine = (error: unknown): unknown =>
  (error as { routine?: unknown } | null | undefined)?.routine;

/**
 * Whether a connection can be reused after an error. An error without an SQLSTATE, such as a timeout, makes it
 * unusable.
 */
export function isConnectionReusableAfter(error: unknown): boolean {
  const code = databaseErrorCode(error) ?? '';
  return SQLSTATE.test(code) && !UNUSABLE_AFTER.test(code);
}

/**
 * Whether a statement for several rows may have failed because of one of them. Statements for the other rows may
 * succeed.
 */
export const isRowError = (error: unknown): boolean =>
  isConnectionReusableAfter(error) && !/^(57014|40003)$/.test(databaseErrorCode(error) ?? '');

/**
 * Whether a conflict between transactions, which a retry can resolve, caused the error: a serialization failure or a
 * deadlock.
 */
export const isConflict = (error: unknown): boolean => /^(40001|40P01)$/.test(databaseErrorCode(error) ?? '');

/**
 * Whether the connection of a statement went away, so that the outcome of the statement is unknown. Returns false if no
 * connection could be opened.
 */
export const isConnectionLost = (error: unknown): boolean =>
  types.isNativeError(error) &&
  !(error instanceof ConnectionFailedError) &&
  CONNECTION_LOST.test(databaseErrorCode(error) ?? error.message);

/** Whether a statement waited for a lock for longer than `lock_timeout`. Returns false if `nowait` caused the error. */
export const isLockTimeout = (error: unknown): boolean =>
  databaseErrorCode(error) === '55P03' && serverRoutine(error) === 'ProcessInterrupts';

/**
 * Whether a prepared statement is outdated: a migration has changed the table, or the session no longer has the
 * statement.
 */
export function isStalePlan(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === '26000' || (code === '0A000' && serverRoutine(error) === 'RevalidateCachedQuery');
}

const CONSTRAINT_IN_MESSAGE = /\bconstraint "([^"]+)"/;
/** The number that Citus appends to the names of the parts of a distributed table. The first one is 102008. */
const SHARD_SUFFIX = /_\d{6,}$/;

/**
 * Returns the name of the constraint that a statement violated, or `undefined` for another error. If the server passes on
 * the error of another server, as Citus does, the name is only in the message.
 */
export function violatedConstraint(error: unknown): string | undefined {
  if (!databaseErrorCode(error)?.startsWith('23')) return undefined;
  const { constraint, message } = error as { constraint?: string; message?: string };
  return constraint ?? CONSTRAINT_IN_MESSAGE.exec(message ?? '')?.[1]?.replace(SHARD_SUFFIX, '');
}

/**
 * Returns the error that a client gets for a database error. Returns `undefined` for a bug, such as a syntax error in
 * SQL, and for a violated constraint, which repositories translate.
 */
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
