import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';

import { Database } from '../database/database.js';
import { removeRegularly } from '../database/remove-in-batches.js';
import { failInterruptedAttempts, INTERRUPTED_MESSAGE } from './interrupted-attempts.js';
import { JobQueues } from './job-queues.js';
import { failureOutcome, Outcome, toJob } from './job-row.js';
import { createPgBoss, toPgBossDb } from './pg-boss.js';
import { QueueWorker } from './queue-worker.js';
import { reportFailure } from './worker-host.js';

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
      const db = toPgBossDb(this.database);
      this.workers.set(queue.name, new QueueWorker(this.boss, db, queue, host, report));
    }
    if (this.workers.size === 0) return;
    this.maintenance = removeRegularly(() => this.maintain(), MAINTAIN_MS);
    for (const worker of this.workers.values()) worker.start();
  }

  /** Ends the attempts that were interrupted, reports them as failed, and removes old jobs. */
  async maintain(): Promise<void> {
    const hosts = new Map(this.queues.hosts().map(({ queue, host }) => [queue.name, host]));
    for (const row of await failInterruptedAttempts(this.boss, this.database, [...hosts.keys()])) {
      this.onOutcome(row.name, failureOutcome(row));
      const host = hosts.get(row.name);
      if (host) void reportFailure(host, toJob(row), new Error(INTERRUPTED_MESSAGE));
    }
    await this.boss.maintain();
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
