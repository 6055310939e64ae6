import { databaseErrorCode } from './database-error.js';

/** The kinds of reasons why a process is not ready, as the metric `service_not_ready` has them. */
export const NOT_READY_REASONS = [
  'database_unreachable',
  'database_login',
  'database_busy',
  'database_failing',
  'migrations',
  'shutdown',
] as const;

/** Why a process cannot serve requests. */
export interface ReadinessFault {
  readonly reason: (typeof NOT_READY_REASONS)[number];
  /** A clause for `GET /health/ready`. It contains no name of a host, user or database. */
  readonly text: string;
  /** The error of the driver. Only the log contains it. */
  readonly cause?: unknown;
}

/**
 * The faults that an operator can tell apart. A pattern matches the code of an error (SQLSTATE, `node:net` or
 * `node:tls`). If the error has no code, the pattern matches the message of `pg`.
 */
const DATABASE_FAULTS: readonly (readonly [RegExp, ReadinessFault['reason'], text: string])[] = [
  [/^28/, 'database_login', 'the database refuses the user or the password of DATABASE_URL'],
  [/^3D000$/, 'database_login', 'the database that DATABASE_URL names does not exist'],
  [/^42501$/, 'database_login', 'the user of DATABASE_URL may not read the table of migrations'],
  [/CERT|TLS|SSL|SIGNATURE/, 'database_login', 'the TLS connection to the database fails'],
  [/^53300$/, 'database_busy', 'the database accepts no more connections'],
  [
    /^timeout exceeded when trying to connect/,
    'database_busy',
    'no connection of the pool became free in time',
  ],
  [/^57P03$/, 'database_unreachable', 'the database is starting or stopping'],
  [
    /^(57014|ETIMEDOUT)$|^Query read timeout|timeout/,
    'database_unreachable',
    'the database does not answer in time',
  ],
  [
    /^(E[A-Z_]+|57P..|08...)$|^Connection terminated/,
    'database_unreachable',
    'no connection to the database is possible',
  ],
];

/** Describes the error of a statement that shows whether the database serves. */
export function describeDatabaseFault(error: unknown): ReadinessFault {
  const codeOrMessage = databaseErrorCode(error) ?? (error as Error).message;
  const [, reason, text] = DATABASE_FAULTS.find(([pattern]) => pattern.test(codeOrMessage)) ?? [];
  return { reason: reason ?? 'database_failing', text: text ?? 'the database fails', cause: error };
}
