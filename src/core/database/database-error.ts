import { types } from 'node:util';

import { ApiError } from '../http/errors/api-error.js';
import { ErrorType } from '../http/errors/catalogue.js';
import { ErrorTranslator } from '../http/errors/foreign-errors.js';
import { UNPROCESSABLE_ENTITY } from '../http/errors/http.errors.js';
import { DATABASE_ERROR, DATABASE_TIMEOUT, DATABASE_UNAVAILABLE } from './database.errors.js';

/**
 * There is no connection to be had: the server takes none, or all of the pool are in use for too long. Message and
 * code are those of the reason.
 */
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

/** Codes of node:net and SQLSTATEs (PostgreSQL manual, appendix A), whole or by class, to what clients are told. */
const BY_CODE: readonly (readonly [code: RegExp, type: ErrorType])[] = [
  // It takes no connection: it is not there, starting, stopping, full, or will not have us.
  [/^(ECONNREFUSED|ENOTFOUND|EAI_[A-Z]+|ENOENT)$/, DATABASE_UNAVAILABLE],
  [/^(57P03|53300|08001|08004|28...|3D000|55P03|25006)$/, DATABASE_UNAVAILABLE],
  // A conflict with other transactions that outlasted our retries.
  [/^(40001|40P01)$/, DATABASE_UNAVAILABLE],
  // Whether it was done is unknown, as engines say that are distributed.
  [/^40003$/, DATABASE_ERROR],
  // It did not answer in time.
  [/^(57014|ETIMEDOUT|25P03|25P04)$/, DATABASE_TIMEOUT],
  // It went away, or fell ill, in the middle.
  [/^(08...|57P..|53...|58...|XX...|F0...)$/, DATABASE_ERROR],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|ENETDOWN|ENETRESET|EHOSTUNREACH|ENETUNREACH)$/, DATABASE_ERROR],
  // A value that a route let through does not fit its column: too long, out of range, not of the type.
  [/^(22001|22003|22007|22008|22021|22P02|22P05)$/, UNPROCESSABLE_ENTITY],
];

const MESSAGES = new Map([[UNPROCESSABLE_ENTITY, 'A value is outside of what can be stored.']]);

/** Messages of errors that `pg` and its pool throw without a code. */
const BY_MESSAGE: readonly (readonly [message: RegExp, type: ErrorType])[] = [
  [
    /timeout exceeded when trying to connect|timeout expired|Connection terminated due to connection timeout/,
    DATABASE_UNAVAILABLE,
  ],
  [/Cannot use a pool after calling end/, DATABASE_UNAVAILABLE],
  [/Query read timeout/, DATABASE_TIMEOUT],
  [/Connection terminated|Client has encountered a connection error|Client was closed/, DATABASE_ERROR],
  // The other side does not speak the protocol, or no longer does.
  [/Received unexpected \w+ message from backend|received invalid response/, DATABASE_ERROR],
  // TypeORM releases the connection of a query runner that is lost: what runs on it next finds it released.
  [/Query runner already released/, DATABASE_ERROR],
];

/**
 * Messages of PgBouncer, under the SQLSTATE `protocol_violation`, for a statement that it finds no server for: the
 * server is down, or all of its sessions are in use.
 */
const WITHOUT_SERVER =
  /^(query_wait_timeout|client_login_timeout|no more connections allowed|server login has been failing|pgbouncer cannot connect)/;

/** SQLSTATEs, as against codes of sockets. */
const SQLSTATE = /^([0-9][0-9A-Z]{4}|(F0|HV|P0|XX)[0-9A-Z]{3})$/;
/** Of these, the ones after which a connection may not be what it was: gone, ill, read-only, with a lost statement. */
const UNSOUND = /^(08|0A|25006|25P03|25P04|26|28|3D|53|57P|58|F0|XX)/;
/** A conflict between transactions that ends well when one is tried again: serialization, deadlock. */
const CONFLICT = /^(40001|40P01)$/;

/** The SQLSTATE or system code of an error, as `pg` threw it or TypeORM wrapped it. */
export function codeOf(error: unknown): string | undefined {
  const { code, driverError } = (error ?? {}) as { code?: unknown; driverError?: { code?: unknown } };
  const found = driverError?.code ?? code;
  return typeof found === 'string' ? found : undefined;
}

/** Whether a connection is as good as before after an error of a statement on it. */
export function keepsConnection(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return SQLSTATE.test(code) && !UNSOUND.test(code);
}

/**
 * Whether PostgreSQL refuses a statement for what one of its rows holds, and may take the others: it was in time to say
 * so, and knows that nothing was done.
 */
export const isRowError = (error: unknown): boolean =>
  keepsConnection(error) && !/^(57014|40003)$/.test(codeOf(error) ?? '');

/** Whether PostgreSQL has given up a transaction for a conflict with others, and has done nothing of it. */
export function isConflict(error: unknown): boolean {
  return CONFLICT.test(codeOf(error) ?? '');
}

/** Whether a statement has waited for a lock for `lock_timeout`, and not given up at once, as `nowait` has it. */
export function isLockTimeout(error: unknown): boolean {
  const { driverError, routine } = (error ?? {}) as {
    driverError?: { routine?: unknown };
    routine?: unknown;
  };
  return codeOf(error) === '55P03' && (driverError?.routine ?? routine) === 'ProcessInterrupts';
}

/**
 * Whether a prepared statement was refused because the table has changed since, as a migration does beside running
 * instances, or because the session has forgotten it. Nothing of it was done; a new connection prepares it anew.
 */
export function isStalePlan(error: unknown): boolean {
  const { routine } = (error ?? {}) as { routine?: unknown };
  const code = codeOf(error);
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery');
}

/** The constraint that an error says was violated. */
export function violatedConstraint(error: unknown): string | undefined {
  const { constraint, driverError } = (error ?? {}) as {
    constraint?: string;
    driverError?: { constraint?: string };
  };
  return codeOf(error)?.startsWith('23') ? (driverError?.constraint ?? constraint) : undefined;
}

/**
 * Knows what a database says that is ill, or that cannot store a value. Anything else it says is a bug of ours, and not
 * translated.
 */
export const translateDatabaseError: ErrorTranslator = (error) => {
  if (!types.isNativeError(error)) return undefined;
  const type = typeOf(error);
  if (!type) return undefined;
  const headers = type.status === 503 ? { 'retry-after': '1' } : undefined;
  return new ApiError(type, MESSAGES.get(type) ?? type.summary, { cause: error, headers });
};

function typeOf(error: Error): ErrorType | undefined {
  if (error instanceof ConnectionFailedError) return DATABASE_UNAVAILABLE;
  const code = codeOf(error);
  if (code === '08P01' && WITHOUT_SERVER.test(error.message)) return DATABASE_UNAVAILABLE;
  // A socket that is not there is the database's; a file that is not is a bug.
  if (code === 'ENOENT' && (error as NodeJS.ErrnoException).syscall !== 'connect') return undefined;
  return code
    ? BY_CODE.find(([pattern]) => pattern.test(code))?.[1]
    : BY_MESSAGE.find(([pattern]) => pattern.test(error.message))?.[1];
}
