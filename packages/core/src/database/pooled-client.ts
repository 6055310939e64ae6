import { once } from 'node:events';
import { Client, ClientConfig } from 'pg';

import { isConnectionReusableAfter } from './database-error.js';

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
