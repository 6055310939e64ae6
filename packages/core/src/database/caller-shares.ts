import { AsyncLocalStorage } from 'node:async_hooks';

import type { PoolClient } from 'pg';

import { Semaphore } from './semaphore.js';

export type Release = (error?: Error | boolean) => void;
export type AcquireCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: Release,
) => void;

/** The code of the error if a caller's other work kept all connections of the share for too long. */
export const SHARE_USED_UP = 'SHARE_USED_UP';

/** A request, or other work that is done for one caller. */
interface CallerWork {
  readonly caller: string;
  /** The connections that it has at present. */
  readonly heldClients: Set<PoolClient>;
}

const currentWork = new AsyncLocalStorage<CallerWork | undefined>();

/** Runs work whose connections belong to the share of a caller. */
export const runForCaller = (caller: string, work: () => void): void => {
  currentWork.run({ caller, heldClients: new Set() }, work);
};

/** The caller whom the current work is done for; `''` if it is done for none or several. */
export const currentCaller = (): string => currentWork.getStore()?.caller ?? '';

/** Runs work that serves several callers: its connections belong to the share of none. */
export const runWithoutCaller = <T>(work: () => T): T => currentWork.run(undefined, work);

/**
 * The shares of callers in a pool: the work of one caller has at most half of the connections at once. Beyond that it
 * waits for one of its own, outside of the queue of the pool, so that it does not delay other callers.
 */
export class CallerShares {
  private readonly shares = new Map<string, Semaphore>();

  /** @param timeoutMs how long work may wait for a connection, in its own queue and in that of the pool together */
  constructor(
    private readonly poolSize: number,
    private readonly timeoutMs: number | undefined,
  ) {}

  /** Connects when the share of the current caller has room. @param connect takes a connection of the pool */
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
            // Before the next of this caller comes: others may wait in the pool.
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
    // Work in a transaction would wait for the connection that it has.
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
