import type PgBoss from 'pg-boss';

import { Job } from './worker-host.js';

/** How an attempt ended. `retried` means that the job will be tried again, `failed` that it will not. */
export type Outcome = 'completed' | 'retried' | 'failed';

/** The columns of a job that describe its attempts. */
export type JobRow = Pick<
  PgBoss.JobWithMetadata,
  'id' | 'name' | 'data' | 'retryCount' | 'retryLimit' | 'output'
>;

export function toJob({ id, name, data, retryCount, retryLimit, output }: JobRow): Job {
  // pg-boss itself puts the message of an interrupted attempt into `value`.
  const failure = output as { message?: string; value?: { message?: string } } | null;
  return {
    id,
    queueName: name,
    data,
    attemptsMade: retryCount,
    opts: { attempts: retryLimit + 1 },
    failedReason: failure?.message ?? failure?.value?.message,
  };
}

/** Returns the outcome of an attempt that has failed. */
export const failureOutcome = ({ retryCount, retryLimit }: JobRow): Outcome =>
  retryCount < retryLimit ? 'retried' : 'failed';
