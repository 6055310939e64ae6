import { types } from 'node:util';

import { ApiError } from '../http/errors/api-error.js';
import { ErrorType } from '../http/errors/catalogue.js';
import { ErrorTranslator } from '../http/errors/foreign-errors.js';
import { UNPROCESSABLE_ENTITY } from '../http/errors/http.errors.js';
import { DATABASE_ERROR, DATABASE_TIMEOUT, DATABASE_UNAVAILABLE } from './database.errors.js';

/** There is no connection to be had: the server takes none, or all of the pool are in use for too long. */
export class ConnectionFailedError extends Error {
  override readonly name = 'ConnectionFailedError';
  readonly code: string | undefined;

  constructor(cause: unknown) {
    const { message, code } = (cause ?? {}) as { message?: string; code?: string };
    // An attempt at several addresses fails without a message.
    super(message || `no connection to the database (${code ?? 'unknown reason'})`, { cause });
    this.code = code;
  }
}

/** The errors that clients get, by their code (`node:net` or SQLSTATE), else by the message of `pg` and TypeORM. */
const TYPES: readonly (readonly [RegExp, ErrorType])[] = [
  // It takes no writes, has a lock given to others, or a conflict outlasted our retries.
  [/^(25006|55P03|40001|40P01)$/, DATABASE_UNAVAILABLE],
  [/^(57014|25P03|25P04|ETIMEDOUT)$|^Query read timeout/, DATABASE_TIMEOUT],
  // It went away or fell ill in the middle, or does not know whether it was done.
  [/^(40003|08...|57P..|53...|58...|XX...|F0...)$/, DATABASE_ERROR],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|ENETDOWN|ENETRESET|EHOSTUNREACH|ENETUNREACH)$/, DATABASE_ERROR],
  [/^(Connection terminated|Client has encountered a connection error|Client was closed)/, DATABASE_ERROR],
  [/^(Received unexpected \w+ message from backend|received invalid response)/, DATABASE_ERROR],
  // TypeORM releases the connection of a query runner that is lost: what runs on it next finds it released.
  [/^Query runner already released/, DATABASE_ERROR],
  // A value that a route let through does not fit its column: too long, out of range, not of the type.
  [/^(22001|22003|22007|22008|22021|22P02|22P05)$/, UNPROCESSABLE_ENTITY],
];

/** SQLSTATEs, as against codes of sockets. */
const SQLSTATE = /^([0-9][0-9A-Z]{4}|(F0|HV|P0|XX)[0-9A-Z]{3})$/;
/** Of these, the ones after which a connection may not be what it was: gone, ill, read-only, with a lost statement. */
const UNSOUND = /^(08|0A|25006|25P03|25P04|26|28|3D|53|57P|58|F0|XX)/;
/** A conflict between transactions that ends well when one is tried again: serialization, deadlock. */
const CONFLICT = /^(40001|40P01)$/;

/** The SQLSTATE or system code of an error: TypeORM gives its own the properties of the driver's. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

const routineOf = (error: unknown): unknown => (error as { routine?: unknown } | null | undefined)?.routine;

/** Whether a connection is as good as before after an error of a statement on it. */
export function keepsConnection(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return SQLSTATE.test(code) && !UNSOUND.test(code);
}

/** Whether PostgreSQL refuses a statement for what one of its rows holds, and may take the others. */
export const isRowError = (error: unknown): boolean =>
  keepsConnection(error) && !/^(57014|40003)$/.test(codeOf(error) ?? '');

/** Whether PostgreSQL has given up a transaction for a conflict with others, and has done nothing of it. */
export const isConflict = (error: unknown): boolean => CONFLICT.test(codeOf(error) ?? '');

/** Whether a statement has waited for a lock for `lock_timeout`, and not given up at once, as `nowait` has it. */
export const isLockTimeout = (error: unknown): boolean =>
  codeOf(error) === '55P03' && routineOf(error) === 'ProcessInterrupts';

/** Whether a prepared statement was refused because a migration has changed the table, or the session forgot it. */
export function isStalePlan(error: unknown): boolean {
  const code = codeOf(error);
  return code === '26000' || (code === '0A000' && routineOf(error) === 'RevalidateCachedQuery');
}

export const violatedConstraint = (error: unknown): string | undefined =>
  codeOf(error)?.startsWith('23') ? (error as { constraint?: string }).constraint : undefined;

/** Knows what a database says that is ill, or that cannot store a value. */
export const translateDatabaseError: ErrorTranslator = (error) => {
  if (!types.isNativeError(error)) return undefined;
  const told = codeOf(error) ?? error.message;
  const type =
    error instanceof ConnectionFailedError
      ? DATABASE_UNAVAILABLE
      : TYPES.find(([pattern]) => pattern.test(told))?.[1];
  if (!type) return undefined;
  const message = type === UNPROCESSABLE_ENTITY ? 'A value is outside of what can be stored.' : type.summary;
  const headers = type.status === 503 ? { 'retry-after': '1' } : undefined;
  return new ApiError(type, message, { cause: error, headers });
};
