import { ConnectionPool } from '../connection-pool.js';
import { Connection, queryOf, rowsOf, Statement } from '../connection.js';
import { codeOf, ConnectionFailedError, isConflict, keepsConnection } from '../database-error.js';
import { AsyncLocalStorage } from 'node:async_hooks';

/** A server that reads are sent to: the primary, or a replica. */
export type Reader = Pick<Connection, 'query'>;

/** It did not answer in time: asking another server as well would double the load that made it slow. */
const TIMED_OUT = /^57014$/;
/** A table, column or function is not there: the replica has not come to the migration that made it. */
const NOT_THERE = /^42(P01|703|883)$/;

/** A read replica: answers reads, and hands those that it cannot answer over to the primary. */
export class Replica implements Reader {
  /** In milliseconds of `performance.now()`: it has everything that was committed until then. */
  freshUntil = -Infinity;

  constructor(
    readonly pool: ConnectionPool,
    private readonly primary: Reader,
  ) {
    // A session that ends while nobody uses it is no concern of anybody.
    pool.on('error', () => undefined);
  }

  async query<Row extends object>(statement: Statement): Promise<Row[]> {
    try {
      const { rows } = await this.pool.query<Row>(queryOf(statement));
      return rowsOf(statement, rows);
    } catch (error) {
      if (!isOwnFault(error)) throw error;
      if (!isConflict(error)) this.freshUntil = -Infinity;
      return this.primary.query(statement);
    }
  }
}

/**
 * Whether the primary may answer what a replica could not: it is gone, ill or behind, or replay was in the way of the
 * read.
 */
function isOwnFault(error: unknown): boolean {
  if (error instanceof ConnectionFailedError || isConflict(error)) return true;
  const code = codeOf(error) ?? '';
  return NOT_THERE.test(code) || (!keepsConnection(error) && !TIMED_OUT.test(code));
}

const replicaOfRequest = new AsyncLocalStorage<Replica>();

/** The replica that the current request reads from; `undefined`: the primary. */
export const currentReplica = (): Replica | undefined => replicaOfRequest.getStore();

/** Runs the rest of a request, which reads from a replica. */
export function onReplica(replica: Replica, rest: () => void): void {
  replicaOfRequest.run(replica, rest);
}
