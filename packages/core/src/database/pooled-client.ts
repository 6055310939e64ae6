import { once } from 'node:events';
import { Client, ClientConfig } from 'pg';

import { isConnectionReusableAfter } from './database-error.js';

/** How long a released connection may take to finish its running statement. */
const SETTLING_MS = 1_000;

type Callback = (error: Error | null | undefined, result?: unknown) => void;

/** A connection that knows whether another request may use it. */
export class PooledClient extends Client {
  /** The first error after which the connection must not be reused. */
  fatalError: unknown;
  /** The number of statements that run or wait. Some that have ended are also counted, until the next `drain` event. */
  private running = 0;

  constructor(config?: string | ClientConfig) {
    super(config);
    // Without a listener, the end of a session that nobody uses would end the process.
    this.on('error', (error) => (this.fatalError ??= error));
    this.on('drain', () => (this.running = 0));
    this.query = this.trackStatements(this.query.bind(this)) as Client['query'];
  }

  /** Waits up to a second for running statements. @returns whether the connection can be reused */
  async isReusable(): Promise<boolean> {
    if (this.running > 0 && !this.fatalError)
      await once(this, 'drain', { signal: AbortSignal.timeout(SETTLING_MS) }).catch(() => undefined);
    return this.isIdle;
  }

  get isIdle(): boolean {
    return !this.fatalError && this.running === 0 && this.getTransactionStatus() === 'I';
  }

  /** Counts statements and records fatal errors, whether `query()` gets a callback or returns a promise. */
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
          // The callback may release the connection before `drain` is emitted.
          if (!error) this.running--;
          (callback as Callback)(error, result);
        });
      const result = run(...args);
      if (result instanceof Promise) result.catch(note);
      return result;
    };
  }
}
