import { types } from 'node:util';

import { ApiError } from '../http/errors/api-error.js';
import { ErrorType } from '../http/errors/catalogue.js';
import { ErrorTranslator } from '../http/errors/foreign-errors.js';
import { DATABASE_ERROR, DATABASE_TIMEOUT, DATABASE_UNAVAILABLE } from './database.errors.js';

/** Codes of node:net and SQLSTATEs (PostgreSQL manual, appendix A), whole or by class, to what clients are told. */
const BY_CODE: readonly (readonly [code: RegExp, type: ErrorType])[] = [
  // It takes no connection: it is not there, starting, stopping, full, or will not have us.
  [/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT)$/, DATABASE_UNAVAILABLE],
  [/^(57P03|53300|08001|08004|28...|3D000|55P03|25006)$/, DATABASE_UNAVAILABLE],
  // A conflict with other transactions that outlasted our retries.
  [/^(40001|40P01)$/, DATABASE_UNAVAILABLE],
  // It did not answer in time.
  [/^(57014|ETIMEDOUT|25P03|25P04)$/, DATABASE_TIMEOUT],
  // It went away, or fell ill, in the middle.
  [/^(08...|57P..|53...|58...|XX...|F0...|ECONNRESET|EPIPE)$/, DATABASE_ERROR],
];

/** What `pg` and its pool throw without a code. */
const BY_MESSAGE: readonly (readonly [message: RegExp, type: ErrorType])[] = [
  [
    /timeout exceeded when trying to connect|timeout expired|Connection terminated due to connection timeout/,
    DATABASE_UNAVAILABLE,
  ],
  [/Query read timeout/, DATABASE_TIMEOUT],
  [
    /Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end/,
    DATABASE_ERROR,
  ],
];

/** The SQLSTATE or system code of an error, as `pg` threw it or TypeORM wrapped it. */
export function codeOf(error: unknown): string | undefined {
  const { code, driverError } = (error ?? {}) as { code?: unknown; driverError?: { code?: unknown } };
  const found = driverError?.code ?? code;
  return typeof found === 'string' ? found : undefined;
}

/** The constraint that an error says was violated. */
export function violatedConstraint(error: unknown): string | undefined {
  const { constraint, driverError } = (error ?? {}) as {
    constraint?: string;
    driverError?: { constraint?: string };
  };
  return codeOf(error)?.startsWith('23') ? (driverError?.constraint ?? constraint) : undefined;
}

/** Knows what a database that is ill says. Anything else it says is a bug of ours, and not translated. */
export const translateDatabaseError: ErrorTranslator = (error) => {
  if (!types.isNativeError(error)) return undefined;
  const code = codeOf(error);
  // A socket that is not there is the database's; a file that is not is a bug.
  if (code === 'ENOENT' && (error as NodeJS.ErrnoException).syscall !== 'connect') return undefined;
  const type = code
    ? BY_CODE.find(([pattern]) => pattern.test(code))?.[1]
    : BY_MESSAGE.find(([pattern]) => pattern.test(error.message))?.[1];
  if (!type) return undefined;
  const headers = type.status === 503 ? { 'retry-after': '1' } : undefined;
  return new ApiError(type, type.summary, { cause: error, headers });
};
