import { setTimeout as sleep } from 'node:timers/promises';

import { Logger } from '@nestjs/common';

/** Work to do once a transaction has been committed. */
export type AfterCommit = () => void | Promise<void>;

/** How long the end of the process waits for work that is under way. */
const PATIENCE_MS = 5_000;

/** Runs what transactions leave to be done after their commits. */
export class AfterCommits {
  private readonly logger = new Logger('AfterCommit');
  private readonly running = new Set<Promise<void>>();

  /** Runs each work once, one after the other, and goes on after one that fails: its error is logged. Never rejects. */
  async run(works: readonly AfterCommit[]): Promise<void> {
    if (works.length === 0) return;
    const run = this.runAll(works);
    this.running.add(run);
    await run;
    this.running.delete(run);
  }

  /** Waits, for 5 seconds at most, until everything that runs has ended, and what that has started in its turn. */
  async settle(): Promise<void> {
    const all = async (): Promise<void> => {
      while (this.running.size > 0) await Promise.all(this.running);
    };
    await Promise.race([all(), sleep(PATIENCE_MS, undefined, { ref: false })]);
    if (this.running.size > 0)
      this.logger.error(`Work after ${this.running.size} commits has not ended in ${PATIENCE_MS} ms`);
  }

  private async runAll(works: readonly AfterCommit[]): Promise<void> {
    for (const work of works) {
      try {
        const done = work();
        if (done) await done;
      } catch (error) {
        this.logger.error('Work after a commit failed', error instanceof Error ? error.stack : error);
      }
    }
  }
}
