import { promisify } from 'node:util';
import { Pool, PoolClient, PoolConfig } from 'pg';

import { AcquireCallback, CallerShares, Release } from './caller-shares.js';
import { ConnectionFailedError, isConnectionReusableAfter } from './database-error.js';
import { PooledClient } from './pooled-client.js';

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
