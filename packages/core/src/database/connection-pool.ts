import { once } from 'node:events';
import { promisify } from 'node:util';

import { Client, ClientConfig, Pool, PoolClient, PoolConfig } from 'pg';

import { AcquireCallback, CallerShares, Release } from './caller-shares.js';
import { ConnectionFailedError, isConnectionReusableAfter } from './database-error.js';

/** How long a released connection may take to finish the statement that runs on it. */
const SETTLING_MS = 1_000;

type Callback = (error: Error | null | undefined, result?: unknown) => void;

export class PooledClient extends Client {
  /** The first error after which it may not be what it was. */
  fatalError: unknown;
  /** Statements that run or wait, or whose end `drain` has still to tell. */
  private running = 0;

  constructor(config?: string | ClientConfig) {
    super(config);
    // For the life of the client: without a listener, a session that ends while nobody uses it would end the process.
    this.on('error', (error) => (this.fatalError ??= error));
    this.on('drain', () => (this.running = 0));
    this.query = this.trackStatements(this.query.bind(this)) as Client['query'];
  }

  /** Resolves when no statement runs, or after a second. @returns whether the next user may have the connection */
  async isReusable(): Promise<boolean> {
    if (this.running > 0 && !this.fatalError)
      await once(this, 'drain', { signal: AbortSignal.timeout(SETTLING_MS) }).catch(() => undefined);
    return this.isIdle;
  }

  get isIdle(): boolean {
    return !this.fatalError && this.running === 0 && this.getTransactionStatus() === 'I';
  }

  /** Notes what becomes of each statement, whether `query()` is given a callback or returns a promise. */
  private trackStatements(run: (...args: unknown[]) => unknown) {
    return (...args: unknown[]): unknown => {
      this.running++;
      const callback = args.at(-1);
      const note = (error: unknown): void => {
        if (error && !isConnectionReusableAfter(error)) this.fatalError ??= error;
      };
      if (typeof callback === 'function')
        return run(...args.slice(0, -1), (error: Error | null | undefined, result: unknown) => {
          note(error);
          // The callback may release the connection, and `drain` comes after it.
          if (!error) this.running--;
          (callback as Callback)(error, result);
        });
      const result = run(...args);
      if (result instanceof Promise) result.catch(note);
      return result;
    };
  }
}

/**
 * The connections to PostgreSQL, for our statements and for TypeORM, which has this class as its driver's pool. One goes
 * back to the pool only if it is idle and unhurt: after a `BEGIN` that the server answers late, the statements of the
 * next request would be part of a transaction that nobody commits.
 */
export class ConnectionPool extends Pool {
  private readonly shares = new CallerShares(this.options.max, this.options.connectionTimeoutMillis);

  constructor(config: PoolConfig = {}) {
    super({ ...config, Client: PooledClient });
  }

  /** @throws ConnectionFailedError where none is to be had: the server takes none, or all are in use for too long */
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
    if (isReleased) throw new Error('The connection has been released to the pool already.');
    isReleased = true;
    if (error && !isConnectionReusableAfter(error)) release(error);
    else if (client.isIdle) release();
    else void client.isReusable().then((isGood) => release(!isGood));
  };
}
