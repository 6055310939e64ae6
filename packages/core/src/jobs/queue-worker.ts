import { setTimeout as sleep } from 'node:timers/promises';

import { Logger } from '@nestjs/common';
import type PgBoss from 'pg-boss';

import { EXPIRY_MARGIN_S } from './job-options.js';
import { failureOutcome, Outcome, toJob } from './job-row.js';
import { Queue } from './processor.decorator.js';
import { Job, reportFailure, WorkerHost } from './worker-host.js';

/**
 * The interval at which a process looks for jobs that other processes added, and for jobs to try again. It starts a job
 * that it added itself at once.
 */
const POLL_MS = 5_000;
/** How long an attempt may still run after its signal was aborted. */
const ABORT_GRACE_MS = 1_000;
/** How often a process tries to store the outcome of an attempt, once a second, while the database is unavailable. */
const SETTLE_ATTEMPTS = 60;

type Row = PgBoss.JobWithMetadata;

/** Runs the jobs of one queue in this process: at most `concurrency` at the same time. */
export class QueueWorker {
  private readonly logger = new Logger('Jobs');
  private readonly running = new Set<Promise<void>>();
  /** The signals of the attempts that are running. */
  private readonly attempts = new Set<AbortController>();
  private loop: Promise<void> | undefined;
  private isStopping = false;
  private isInterrupting = false;
  /** Ends the pause of the loop. */
  private wake = new AbortController();
  /** Whether the last look for jobs failed. */
  private hasFetchFailed = false;

  constructor(
    private readonly boss: PgBoss,
    private readonly db: PgBoss.Db,
    private readonly queue: Queue,
    private readonly host: WorkerHost,
    private readonly onOutcome: (queue: string, outcome: Outcome) => void,
  ) {}

  start(): void {
    this.loop = this.run();
  }

  /** Looks for jobs at once. */
  endPause(): void {
    this.wake.abort();
    this.wake = new AbortController();
  }

  /** Starts no further jobs, waits for those that are running, and interrupts them after `withinMs`. */
  async stop(withinMs: number): Promise<void> {
    this.isStopping = true;
    this.endPause();
    const ended = Promise.resolve(this.loop).then(() => Promise.all(this.running));
    await Promise.race([ended, sleep(withinMs, undefined, { ref: false })]);
    this.isInterrupting = true;
    for (const attempt of this.attempts) attempt.abort(shutdownError());
    await ended;
  }

  private async run(): Promise<void> {
    const { concurrency } = this.queue;
    while (!this.isStopping) {
      // Read the signal before the queue. If a job is added between these two reads, the signal then ends the pause at
      // once.
      const { signal } = this.wake;
      const batchSize = concurrency - this.running.size;
      const jobs = batchSize > 0 ? await this.fetch(batchSize) : [];
      for (const job of jobs) this.begin(job);
      await sleep(POLL_MS, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  /** Fetches jobs. pg-boss hides an error and returns no jobs, so the first of several errors is logged here. */
  private async fetch(batchSize: number): Promise<Row[]> {
    const { name } = this.queue;
    const executeSql: PgBoss.Db['executeSql'] = async (text, values) => {
      try {
        const result = await this.db.executeSql(text, values);
        this.hasFetchFailed = false;
        return result;
      } catch (error) {
        if (!this.hasFetchFailed && !this.isStopping)
          this.logger.warn(`No jobs of the queue ${name} can start: ${String(error)}`);
        this.hasFetchFailed = true;
        throw error;
      }
    };
    return this.boss.fetch<object>(name, { batchSize, includeMetadata: true, db: { executeSql } });
  }

  private begin(row: Row): void {
    const work = this.work(row).finally(() => {
      this.running.delete(work);
      this.endPause();
    });
    this.running.add(work);
  }

  private async work(row: Row): Promise<void> {
    const { id, name } = row;
    let outcome: Outcome = 'completed';
    let settle = (): Promise<void> => this.boss.complete(name, id);
    try {
      await this.attempt(toJob(row), this.timeoutMs(row));
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      void reportFailure(this.host, toJob(row), error);
      // PostgreSQL rejects control characters and lone surrogates in `jsonb`.
      const message = error.message.slice(0, 300).replace(/\p{C}/gu, '…');
      outcome = failureOutcome(row);
      settle = () => this.boss.fail(name, id, { message });
    }
    this.onOutcome(name, outcome);
    await this.store(settle).catch((error: unknown) => {
      this.logger.warn(
        `The outcome of the job ${id} of the queue ${name} was not stored, so the job may run again: ${String(error)}`,
      );
    });
  }

  /** The time limit of the queue, or the earlier time at which other processes would count the attempt as interrupted. */
  private timeoutMs({ expireInSeconds }: Row): number {
    return Math.min(this.queue.timeout, (expireInSeconds - EXPIRY_MARGIN_S) * 1000);
  }

  /** @throws the error of the job, or an error if the job does not end soon after its signal */
  private async attempt(job: Job, timeoutMs: number): Promise<void> {
    if (this.isInterrupting) throw shutdownError();
    const attempt = new AbortController();
    const { signal } = attempt;
    const timer = setTimeout(() => {
      attempt.abort(new Error(`the attempt took more than ${timeoutMs} ms`));
    }, timeoutMs);
    const tooLate = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        setTimeout(reject, ABORT_GRACE_MS, signal.reason);
      });
    });
    this.attempts.add(attempt);
    try {
      await Promise.race([this.host.process(job, signal), tooLate]);
    } finally {
      clearTimeout(timer);
      this.attempts.delete(attempt);
    }
  }

  /**
   * Retries while the database is unavailable, because a job without a stored outcome runs again.
   * @throws the error of the last try
   */
  private async store(outcome: () => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await outcome();
        return;
      } catch (error) {
        if (this.isStopping || tries >= SETTLE_ATTEMPTS) throw error;
        await sleep(1_000);
      }
    }
  }
}

const shutdownError = (): Error => new Error('the process is shutting down');
