import { codeOf, translateDatabaseError } from '../database/database-error.js';
import { DATABASE_ERROR, DATABASE_UNAVAILABLE } from '../database/database.errors.js';

/** The addresses that the reason of a failed start may name. */
export interface StartPlan {
  readonly host: string;
  readonly port: number;
}

type Explanation = (plan: StartPlan, message: string) => string;

/** System codes and SQLSTATEs of what keeps a sound service from starting, to what to do about it. */
const BY_CODE: Readonly<Record<string, Explanation>> = {
  EADDRINUSE: ({ host, port }) =>
    `port ${port} on ${host} is in use: stop the program that has it, or set PORT to another one (0 takes a free one)`,
  EACCES: ({ host, port }, message) =>
    message.includes('listen')
      ? `port ${port} on ${host} is not open to this user: set PORT to 1024 or more`
      : message,
  EADDRNOTAVAIL: ({ host }) => `${host} is no address of this machine: set HOST to one that is`,
  ECONNREFUSED: (_, message) => `no PostgreSQL answers at the address of DATABASE_URL (${message})`,
  ENOTFOUND: (_, message) => `the host of DATABASE_URL is not known (${message})`,
  EAI_AGAIN: (_, message) => `the host of DATABASE_URL cannot be looked up now (${message})`,
  '28P01': (_, message) => `PostgreSQL refuses the user or password of DATABASE_URL (${message})`,
  '28000': (_, message) => `PostgreSQL refuses the user of DATABASE_URL (${message})`,
  '3D000': (_, message) => `the database of DATABASE_URL does not exist (${message})`,
};

/** Errors whose message is written for the person at the terminal. */
const PLAIN = ['EmbeddedDatabaseError', 'ConfigError', 'MigrationLockError'];

/**
 * Why the service did not start, as a sentence that says what to do; `undefined`: it is no fault of its surroundings,
 * so the stack is wanted.
 */
export function explainStartError(error: unknown, plan: StartPlan): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (PLAIN.includes(error.name)) return error.message;
  const explain = BY_CODE[codeOf(error) ?? ''];
  if (explain) return explain(plan, error.message || (codeOf(error) as string));
  const type = translateDatabaseError(error)?.type;
  if (type === DATABASE_UNAVAILABLE)
    return `PostgreSQL is not available now: start it again (${error.message})`;
  return type === DATABASE_ERROR
    ? `PostgreSQL ended the connection, or failed, while the service started: start it again (${error.message})`
    : undefined;
}
