import { hash } from 'node:crypto';

import type PgBoss from 'pg-boss';

import { Queue } from './processor.decorator.js';

/** When and how often a job runs. Times are in milliseconds. */
export interface JobOptions {
  /** How long the job waits before its first attempt. */
  readonly delay?: number;
  /**
   * The number of attempts after which the job has failed. The default is 5. An attempt that ends because its process
   * is killed counts. With 1, such a job is never tried again.
   */
  readonly attempts?: number;
  /**
   * The pause between attempts, in whole seconds, rounded up. With `exponential`, each pause is about twice as long as
   * the one before it, and differs at random, so that jobs that failed together do not return together. The default is
   * exponential, beginning at 5 seconds.
   */
  readonly backoff?: number | { readonly type: 'fixed' | 'exponential'; readonly delay: number };
  /**
   * Identifies the job in its queue. As long as a job with the same value is stored, another is not added. A completed
   * job is stored for an hour, a failed job for a week.
   */
  readonly jobId?: string;
  /** In each period of `ttl` of the database's clock, only the first job with this `id` is added. At most an hour. */
  readonly deduplication?: { readonly id: string; readonly ttl: number };
}

/**
 * How long after its time limit an attempt counts as interrupted. In between, the process itself still reports the
 * attempt, so that no other process runs the job at the same time.
 */
export const EXPIRY_MARGIN_S = 15;
const DEFAULT_ATTEMPTS = 5;
const DEFAULT_BACKOFF = { type: 'exponential', delay: 5_000 } as const;
/** The limit of pg-boss for a number of seconds: 68 years. */
const MAX_S = 2_147_483_647;
const MAX_MS = MAX_S * 1000;
/** How long a job stays in its queue without an attempt, in addition to the time that its attempts may take. */
const UNSTARTED_S = 14 * 24 * 3_600;
/** pg-boss doubles the pause up to 16 times. */
const MAX_DOUBLINGS = 16;

const seconds = (ms: number): number => Math.ceil(ms / 1000);

/**
 * Translates the options of a job for pg-boss.
 * @throws Error that names the option that is not allowed
 */
export function toSendOptions(queue: Queue, options: JobOptions): PgBoss.SendOptions {
  const { delay = 0, attempts = DEFAULT_ATTEMPTS, backoff = DEFAULT_BACKOFF, jobId, deduplication } = options;
  const { type, delay: pause } = typeof backoff === 'number' ? { type: 'fixed', delay: backoff } : backoff;
  assertWhole('delay', delay, 0, MAX_MS);
  assertWhole('attempts', attempts, 1, 1_000);
  assertWhole('backoff', pause, 0, MAX_MS);
  if (type !== 'fixed' && type !== 'exponential')
    throw new Error(`backoff.type must be fixed or exponential (got ${type})`);
  if (deduplication) assertWhole('deduplication.ttl', deduplication.ttl, 1_000, 3_600_000);
  const retry = {
    retryLimit: attempts - 1,
    retryDelay: seconds(pause),
    retryBackoff: type === 'exponential',
  };
  const expireInSeconds = seconds(queue.timeout) + EXPIRY_MARGIN_S;
  const duration = longestDuration(retry, expireInSeconds);
  const most = MAX_S - UNSTARTED_S;
  if (duration > most)
    throw new Error(
      `all attempts and the pauses between them must take at most ${most} seconds (got ${duration})`,
    );
  return {
    ...(delay > 0 && { startAfter: delay / 1000 }),
    ...retry,
    expireInSeconds,
    // pg-boss removes a job after this time, even if it has attempts left.
    retentionSeconds: UNSTARTED_S + duration,
    ...(queue.deadLetter !== undefined && { deadLetter: queue.deadLetter }),
    ...(jobId !== undefined && { id: toUuid(jobId) }),
    ...(deduplication && {
      singletonKey: deduplication.id,
      singletonSeconds: seconds(deduplication.ttl),
    }),
  };
}

/** Returns how many seconds the attempts of a job and the pauses between them take at most. */
function longestDuration(
  {
    retryLimit,
    retryDelay,
    retryBackoff,
  }: Required<Pick<PgBoss.SendOptions, 'retryLimit' | 'retryDelay' | 'retryBackoff'>>,
  attemptSeconds: number,
): number {
  const pauses = Array.from({ length: retryLimit }, (_, retry) =>
    retryBackoff ? Math.max(1, retryDelay) * 2 ** Math.min(MAX_DOUBLINGS, retry + 1) : retryDelay,
  );
  return pauses.reduce((sum, pause) => sum + pause + attemptSeconds, attemptSeconds);
}

function assertWhole(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max)
    throw new Error(`${name} must be a whole number from ${min} to ${max} (got ${String(value)})`);
}

/** Returns a UUID that depends only on the text (RFC 9562 §5.8). */
const toUuid = (text: string): string =>
  hash('sha256', text, 'hex').replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
