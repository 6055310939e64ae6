import { setTimeout as sleep } from 'node:timers/promises';

import { Counter, Gauge, Registry } from 'prom-client';

import type { Database } from '../database/database.js';
import type { JobWorkers } from '../jobs/job-workers.js';

/** How long a scrape waits for the database, so that the other metrics are served even if the database is down. */
const QUERY_TIMEOUT_MS = 1_000;

/** The jobs that are due, by queue. An index contains only the jobs that have not started. */
const DUE = {
  text: `
    select name as queue, count(*)::float8 as depth,
      extract(epoch from now() - min(start_after))::float8 as age
    from pgboss.job where state < 'active' and start_after <= now() group by name`,
  values: [],
};

interface Due {
  readonly queue: string;
  readonly depth: number;
  readonly age: number;
}

/** Adds the metrics of jobs: how many are due and for how long, and how attempts have ended, by queue. */
export function addJobMetrics(
  registry: Registry,
  database: Pick<Database, 'query'>,
  workers: Pick<JobWorkers, 'onOutcome'>,
  queues: readonly string[],
): void {
  let reading: Promise<Due[] | undefined> | undefined;
  // A scrape reads both gauges at the same time, by one statement.
  const read = (): typeof reading =>
    (reading ??= readDue(database).finally(() => {
      reading = undefined;
    }));
  const gauge = (name: string, help: string, value: (due: Due) => number): Gauge =>
    new Gauge({
      name,
      help: `${help}, by queue. All processes report the same number.`,
      labelNames: ['queue'],
      registers: [registry],
      aggregator: 'max',
      async collect() {
        const due = await read();
        this.reset();
        for (const queue of due ? queues : []) {
          const row = due?.find((each) => each.queue === queue);
          this.set({ queue }, row ? value(row) : 0);
        }
      },
    });
  gauge('jobs_due', 'Jobs that are due, but have not started', ({ depth }) => depth);
  gauge('jobs_oldest_due_seconds', 'For how long the oldest of these jobs has been due', ({ age }) => age);
  const attempts = new Counter({
    name: 'jobs_attempts_total',
    help: 'Attempts that have ended, by queue and outcome: completed, retried (will be tried again) or failed.',
    labelNames: ['queue', 'outcome'],
    registers: [registry],
  });
  for (const queue of queues)
    for (const outcome of ['completed', 'retried', 'failed']) attempts.inc({ queue, outcome }, 0);
  workers.onOutcome = (queue, outcome) => {
    attempts.inc({ queue, outcome });
  };
}

/** Returns `undefined` if the database does not answer in time. */
async function readDue(database: Pick<Database, 'query'>): Promise<Due[] | undefined> {
  const answer = database.query<Due>(DUE).catch(() => undefined);
  return Promise.race([answer, sleep(QUERY_TIMEOUT_MS, undefined, { ref: false })]);
}
