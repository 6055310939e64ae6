import { AsyncLocalStorage } from 'node:async_hooks';

import type { PoolClient } from 'pg';

import { Semaphore } from './semaphore.js';

export type Release = (error?: Error | boolean) => void;
export type AcquireCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: Release,
) => void;

/**
 * The error code for work that waits too long for a connection because other work of its caller uses the whole share.
 */
export const SHARE_USED_UP = 'SHARE_USED_UP';

/** A request, or other work for one caller. */
interface CallerWork {
  readonly caller: string;
  /** The connections that the work holds now. */
  readonly heldClients: Set<PoolClient>;
}

const currentWork = new AsyncLocalStorage<CallerWork | undefined>();

/** Runs work whose connections count against the share of a caller. */
export const runForCaller = (caller: string, work: () => void): void => {
  currentWork.run({ caller, heldClients: new Set() }, work);
};

/** Returns the caller of the current work, or `''` if the work serves no caller or several callers. */
export const currentCaller = (): string => currentWork.getStore()?.caller ?? '';

/** Runs work that serves several callers. Its connections count against no share. */
export const runWithoutCaller = <T>(work: () => T): T => currentWork.run(undefined, work);

/**
 * Prevents one caller from using all connections of a pool. All work of a caller together holds at most half of the
 * connections. Further work of this caller waits until the earlier work releases a connection. The waiting work is not
 * in the queue of the pool, so it does not delay other callers.
 */
export class CallerShares {
  private readonly shares = new Map<string, Semaphore>();

  /**
   * @param timeoutMs how long work may wait for a connection, first in the queue of its caller and then in the queue of
   *   the pool
   */
  constructor(
    private readonly poolSize: number,
    private readonly timeoutMs: number | undefined,
  ) {}

  /**
   * Acquires a connection as soon as the share of the current caller has room.
   * @param connect acquires a connection of the pool
   * @param acquired receives the connection, or the error
   */
  connect(connect: (acquired: AcquireCallback) => void, acquired: AcquireCallback): void {
    const work = currentWork.getStore();
    if (!work) {
      connect(acquired);
      return;
    }
    const { caller, heldClients } = work;
    const share = this.shares.get(caller) ?? new Semaphore(Math.max(1, Math.floor(this.poolSize / 2)));
    this.shares.set(caller, share);
    const wait: { timer?: NodeJS.Timeout; isOver: boolean } = { isOver: false };
    const begin = (): void => {
      connect((error, client, release) => {
        clearTimeout(wait.timer);
        const giveBack: Release = (fault) => {
          if (client) {
            heldClients.delete(client);
            // Release the connection first, so that other callers in the queue of the pool come before the next work of
            // this caller, which `share.release()` begins.
            release(fault);
          }
          share.release();
          if (share.inUse === 0) this.shares.delete(caller);
        };
        if (client && !wait.isOver) heldClients.add(client);
        else giveBack();
        if (!wait.isOver) acquired(error, client, giveBack);
      });
    };
    // Work inside a transaction must not wait: it could wait for the connection that its own transaction holds.
    if ([...heldClients].some(isInTransaction)) {
      share.acquireNow(begin);
      return;
    }
    const giveUp = share.acquire(begin);
    if (!giveUp || !this.timeoutMs) return;
    wait.timer = setTimeout(() => {
      wait.isOver = true;
      giveUp();
      const error = new Error('timeout exceeded when trying to connect');
      acquired(Object.assign(error, { code: SHARE_USED_UP }), undefined, () => undefined);
    }, this.timeoutMs);
  }
}

const isInTransaction = (client: PoolClient): boolean => client.getTransactionStatus() !== 'I';
