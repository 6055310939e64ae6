import { promisify } from 'node:util';
import { ClientBase, Pool, PoolClient, PoolConfig } from 'pg';

import { AcquireCallback, CallerShares, Release } from './caller-shares.js';
import { ConnectionFailedError, isConnectionReusableAfter } from './database-error.js';
import { PooledClient } from './pooled-client.js';

/**
 * The time limits of a session, in milliseconds, by the names of PostgreSQL's settings. 0 means no limit, whatever the
 * role or the database says.
 */
export type SessionTimeouts = Readonly<
  Partial<Record<'statement_timeout' | 'idle_in_transaction_session_timeout' | 'lock_timeout', number>>
>;

export interface ConnectionPoolConfig extends PoolConfig {
  /**
   * Each new connection sets them by a statement. The properties of `pg` with these names would become parameters of the
   * start, and PgBouncer refuses a connection with parameters that it does not know.
   */
  readonly timeouts?: SessionTimeouts;
}

/**
 * The connections to PostgreSQL. TypeORM uses this class as the pool of its driver. A connection returns to the pool
 * only if it is idle and had no fatal error. Other connections are closed. Suppose that a request gives up on a `BEGIN`
 * that the server answers late. If the connection were reused, the statements of the next request would run in this
 * transaction, which nobody commits.
 */
export class ConnectionPool extends Pool {
  private readonly shares = new CallerShares(this.options.max, this.options.connectionTimeoutMillis);

  constructor({ timeouts = {}, ...config }: ConnectionPoolConfig = {}) {
    const text = Object.entries(timeouts)
      .map(([name, ms]) => `set ${name} = ${ms}`)
      .join('; ');
    // The pool waits for the promise, as the documentation of pg says, but not its types.
    const onConnect = (client: ClientBase): unknown => (text ? client.query(text) : undefined);
    super({ ...config, Client: PooledClient, onConnect });
  }

  /**
   * @throws ConnectionFailedError if the server accepts no connection, or if all connections of the pool stay in use
   *   for too long
   */
  override connect(): Promise<PoolClient>;
  override connect(callback: AcquireCallback): void;
  override connect(callback?: AcquireCallback): Promise<PoolClient> | void {
    if (!callback) return promisify((done: AcquireCallback) => this.connect(done))() as Promise<PoolClient>;
    const connect = (acquired: AcquireCallback): void => {
      super.connect(acquired);
    };
    this.shares.connect(connect, (error, client, release) => {
      if (!client) {
        callback(new ConnectionFailedError(error), undefined, () => undefined);
        return;
      }
      const giveBack = releaseOnce(client as PoolClient & PooledClient, release);
      client.release = giveBack;
      callback(undefined, client, giveBack);
    });
  }
}

function releaseOnce(client: PooledClient, release: Release): Release {
  let isReleased = false;
  return (error) => {
    if (isReleased) throw new Error('The connection has already been released to the pool.');
    isReleased = true;
    if (error && !isConnectionReusableAfter(error)) release(error);
    else if (client.isIdle) release();
    else void client.isReusable().then((isGood) => release(!isGood));
  };
}
