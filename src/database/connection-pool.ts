import { Client, ClientConfig, Pool, PoolClient, PoolConfig } from 'pg';

import { currentWaiter } from '../telemetry/waits.js';
import { DatabaseConfig } from '../config/config.js';
import { ConnectionFailedError, isWithoutAnswer, keepsConnection } from './database-error.js';
import { PrimaryFinder } from './primary-finder.js';
import { observed, Run, textOf, withoutName } from './statement-call.js';
import { EndOfStatement, StatementObserver, StatementText } from './statement-times.js';

/** How long a connection whose statement failed may take to say that it is ready for the next one. */
const SETTLING_MS = 1_000;

type PooledConfig = ClientConfig & { readonly pooler?: DatabaseConfig['pooler'] };

type Release = (error?: Error | boolean) => void;
type Acquired = (error: Error | undefined, client: PoolClient | undefined, release: Release) => void;

/**
 * A PostgreSQL connection of the pool. It has a listener for errors for as long as it lives: without one, the end of a
 * session that nobody uses at that moment would end the process.
 */
export class PooledClient extends Client {
  /** When the server last answered, in milliseconds of `performance.now()`. */
  heardAt = performance.now();
  /** The error that ended the connection; `undefined` while it is open. */
  lost: Error | undefined;

  /** Whom to tell of statements. */
  observer: (() => StatementObserver | undefined) | undefined;
  /** Whom to tell that a statement got no answer, and when it was sent. */
  silent: ((sinceMs: number) => void) | undefined;

  /** Whether the next statement may reach another session, which does not have the statements prepared here. */
  private readonly preparesNothing: boolean;
  /** How long a statement may be without an answer; 0: without an end. Instead of by pg itself: see `observed`. */
  private readonly answerWithinMs: number;

  /** Members of pg's client that its types leave out. */
  declare readonly readyForQuery: boolean;
  declare private readonly connectionParameters: { query_timeout: number | string | false };
  declare private readonly _queryQueue: readonly unknown[];

  constructor(config?: string | PooledConfig) {
    super(config);
    this.preparesNothing = typeof config === 'object' && config.pooler === 'transaction';
    this.answerWithinMs = Number(this.connectionParameters.query_timeout) || 0;
    this.connectionParameters.query_timeout = 0;
    this.on('error', (error: Error) => {
      this.lost ??= error;
    });
    this.query = this.observing(this.query.bind(this)) as Client['query'];
  }

  /** Whether no statement runs or waits and no transaction is open (ReadyForQuery with status `I`). */
  get isIdle(): boolean {
    return this.hasSettled && this.getTransactionStatus() === 'I';
  }

  /** Whether no statement runs or waits. */
  get hasSettled(): boolean {
    return !this.lost && this.readyForQuery && this._queryQueue.length === 0;
  }

  /** Tells the observer when a statement begins and ends, in whichever of pg's ways it is run. */
  private observing(run: Run): Run {
    return (...given) => {
      const args = this.preparesNothing ? withoutName(given) : given;
      const statement = textOf(args);
      return statement ? observed(run, args, this.begin(statement), this.answerWithinMs) : run(...args);
    };
  }

  private begin(statement: StatementText): EndOfStatement {
    const end = this.observer?.()?.begin(statement);
    const since = performance.now();
    return (error) => {
      if (isWithoutAnswer(error)) this.silent?.(since);
      else this.heardAt = performance.now();
      end?.(error);
    };
  }

  /** Waits, for a second at most, until no statement runs or waits. @returns whether that is so */
  settle(): Promise<boolean> {
    if (this.hasSettled || this.lost) return Promise.resolve(!this.lost);
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.off('drain', end);
        this.off('end', end);
        resolve(this.hasSettled);
      };
      const timer = setTimeout(end, SETTLING_MS);
      this.on('drain', end);
      this.on('end', end);
    });
  }
}

/**
 * The connections to PostgreSQL: the one place where they are checked out and released, by our statements and
 * transactions and by TypeORM's repositories and query runners, which are given this class as their driver's pool.
 *
 * A connection goes back to the pool only where it is certain to be as good as new: no statement runs on it, no
 * transaction is open, and nothing worse befell it than a statement that PostgreSQL refused. Any other is closed.
 * Otherwise a statement that was given up, such as a `BEGIN` that the server answers late, would carry the statements
 * of the next request into a transaction that nobody commits.
 *
 * Where a statement gets no answer in time, not even the server's word that it took too long, connections are closed
 * that have answered nothing since it was sent: a host that went away without a word, or a router that forgot its
 * connections, leaves them all silent, and each would cost a request as long.
 */
export class ConnectionPool extends Pool {
  /** Is told of all statements. */
  observer: StatementObserver | undefined;
  /** Connections opened since the start. */
  opened = 0;
  /** Connections closed since the start: idle for long, lost, or not certain to be as good as new. */
  closed = 0;

  /** When the last statement was sent that got no answer, in milliseconds of `performance.now()`. */
  private silentSince = -Infinity;
  /** Where there are several servers, of which one takes writes. */
  private finder: PrimaryFinder | undefined;

  /**
   * @param config.pooler whether there is another pool between this one and the server
   * @param config.servers URLs of servers of which one takes writes; the first is tried first
   */
  constructor({ servers = [], ...config }: Options = {}) {
    super({ ...config, Client: PooledClient });
    this.choose(servers);
    this.on('connect', (client) => {
      this.opened++;
      const pooled = client as PooledClient & PoolClient;
      pooled.observer = () => this.observer;
      pooled.silent = (sinceMs) => {
        this.silentSince = Math.max(this.silentSince, sinceMs);
        this.closeStale();
      };
    });
    this.on('remove', () => {
      this.closed++;
    });
  }

  private isStale({ heardAt }: PooledClient): boolean {
    return heardAt < this.silentSince;
  }

  /** Closes those that are idle; each of the others is looked at when it is released. */
  private closeStale(): void {
    for (let idle = this.idleCount; idle > 0; idle--) {
      this.connect().then(
        (client) => {
          client.release();
        },
        () => undefined,
      );
    }
  }

  /** @throws ConnectionFailedError where none is to be had: the server takes none, or all are in use for too long */
  override connect(): Promise<PoolClient>;
  override connect(callback: Acquired): void;
  override connect(callback?: Acquired): Promise<PoolClient> | void {
    if (!callback) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => {
          if (error) reject(error);
          else resolve(client as PoolClient);
        });
      });
    }
    const endWait = currentWaiter()?.begin('queue');
    this.open(this.finder, (error, client, release) => {
      endWait?.();
      if (!client) {
        callback(new ConnectionFailedError(error), undefined, () => undefined);
        return;
      }
      const pooled = client as PooledClient & PoolClient;
      const giveBack = releaseOnce(pooled, (error) => {
        release(error || this.isStale(pooled));
      });
      client.release = giveBack;
      callback(undefined, client, giveBack);
    });
  }

  private choose(servers: readonly string[]): void {
    const [connectionString] = servers;
    const hasSeveral = servers.length > 1;
    this.finder = hasSeveral ? new PrimaryFinder(servers) : undefined;
    if (connectionString !== undefined) Object.assign(this.options, { connectionString });
    Object.assign(this.options, { verify: hasSeveral ? mustTakeWrites : undefined });
  }

  /** Checks a connection out. Where that fails, it is tried once more on the server that takes writes now. */
  private open(finder: PrimaryFinder | undefined, acquired: Acquired): void {
    super.connect((error, client, release) => {
      if (client || !finder) {
        acquired(error, client, release);
        return;
      }
      finder.find().then(
        (connectionString) => {
          Object.assign(this.options, { connectionString });
          this.open(undefined, acquired);
        },
        (reason: unknown) => {
          acquired(reason as Error, undefined, release);
        },
      );
    });
  }
}

/** Refuses a new connection to a server that was demoted. */
function mustTakeWrites(client: PoolClient, done: (error?: Error) => void): void {
  client.query<{ transaction_read_only: string }>('show transaction_read_only').then(({ rows }) => {
    if (rows[0]?.transaction_read_only === 'off') done();
    else done(Object.assign(new Error('the server takes no writes'), { code: '25006' }));
  }, done);
}

function releaseOnce(client: PooledClient, release: Release): Release {
  let isReleased = false;
  return (error) => {
    if (isReleased) throw new Error('The connection has been released to the pool already.');
    isReleased = true;
    if (error && !keepsConnection(error)) release(error);
    else if (client.isIdle) release();
    else if (client.getTransactionStatus() !== 'I') release(true);
    else void client.settle().then(() => release(!client.isIdle));
  };
}

type Options = PoolConfig & PooledConfig & { readonly servers?: readonly string[] };
