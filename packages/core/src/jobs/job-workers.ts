import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';

import { Database } from '../database/database.js';
import { removeRegularly } from '../database/remove-in-batches.js';
import { JobQueues } from './job-queues.js';
import { createPgBoss } from './pg-boss.js';
import { Outcome, QueueWorker } from './queue-worker.js';

/**
 * How often a process looks for attempts that were interrupted, and removes old jobs. Every process does it, so that
 * any of them may be killed.
 */
const MAINTAIN_MS = 15_000;
/** How long the jobs of an application may run on after `close()`. */
const CLOSE_MS = 1_000;

/** Runs the jobs of all queues in this process. */
@Injectable()
export class JobWorkers implements OnApplicationBootstrap, OnModuleDestroy {
  readonly boss = createPgBoss(this.database);
  /** Set it to `false` before the application is initialized, for a program that must not run jobs. */
  isEnabled = true;
  /** Called after each attempt. */
  onOutcome: (queue: string, outcome: Outcome) => void = () => undefined;
  private readonly workers = new Map<string, QueueWorker>();
  private maintenance: NodeJS.Timeout | undefined;
  private stopping: Promise<unknown> | undefined;

  constructor(
    private readonly database: Database,
    private readonly queues: JobQueues,
  ) {}

  onApplicationBootstrap(): void {
    for (const { queue, host } of this.queues.hosts()) {
      if (!this.isEnabled || !host.isEnabled) continue;
      const report = (name: string, outcome: Outcome): void => this.onOutcome(name, outcome);
      this.workers.set(queue.name, new QueueWorker(this.boss, queue, host, report));
    }
    if (this.workers.size === 0) return;
    this.maintenance = removeRegularly(() => this.boss.maintain(), MAINTAIN_MS);
    for (const worker of this.workers.values()) worker.start();
  }

  /** Looks for jobs of a queue at once. */
  endPause(queue: string): void {
    this.workers.get(queue)?.endPause();
  }

  /** Starts no further jobs, and interrupts those that are still running after `withinMs`. */
  stop(withinMs: number): Promise<unknown> {
    clearInterval(this.maintenance);
    return (this.stopping ??= Promise.all([...this.workers.values()].map((worker) => worker.stop(withinMs))));
  }

  async onModuleDestroy(): Promise<void> {
    await this.stop(CLOSE_MS);
  }
}
