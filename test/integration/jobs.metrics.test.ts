import { Registry } from 'prom-client';

import { Database } from '../../packages/core/src/database/database.js';
import { JobWorkers } from '../../packages/core/src/jobs/job-workers.js';
import { Jobs } from '../../packages/core/src/jobs/jobs.js';
import { addJobMetrics } from '../../packages/core/src/operations/job-metrics.js';
import { useInProcess } from '../support/own-app.js';
import { Exports, QueuesModule, until } from '../support/queues.js';

describe('the metrics of jobs', () => {
  const app = useInProcess({}, undefined, [QueuesModule]);
  const values = async (registry: Registry): Promise<Record<string, number>> =>
    Object.fromEntries(
      [...(await registry.metrics()).matchAll(/^(\w+\{.*\}) (\S+)$/gm)].map(([, name, value]) => [
        name,
        Number(value),
      ]),
    );

  it('count the jobs that are due and the outcomes of attempts, by queue', async () => {
    const { nest } = app.app;
    const database = nest.get(Database);
    const exports = nest.get(Exports);
    const registry = new Registry();
    addJobMetrics(registry, database, nest.get(JobWorkers), ['elsewhere', 'exports']);
    expect(await values(registry)).toEqual({
      'jobs_due{queue="elsewhere"}': 0,
      'jobs_due{queue="exports"}': 0,
      'jobs_oldest_due_seconds{queue="elsewhere"}': 0,
      'jobs_oldest_due_seconds{queue="exports"}': 0,
      ...Object.fromEntries(
        ['elsewhere', 'exports'].flatMap((queue) =>
          ['completed', 'retried', 'failed'].map((outcome) => [
            `jobs_attempts_total{queue="${queue}",outcome="${outcome}"}`,
            0,
          ]),
        ),
      ),
    });

    const jobs = nest.get(Jobs);
    for (const delay of [0, 0, 60_000]) await jobs.add(database, 'elsewhere', {}, { delay });
    await app.query(`update pgboss.job set start_after = now() - interval '1 h' where start_after < now()`);
    const failing = new Set(['retried', 'failed']);
    exports.work = ({ data }) =>
      failing.has((data as { outcome: string }).outcome)
        ? Promise.reject(new Error('no'))
        : Promise.resolve();
    await jobs.add(database, 'exports', { outcome: 'completed' });
    await jobs.add(database, 'exports', { outcome: 'retried' }, { delay: 1, backoff: 3_600_000 });
    await jobs.add(database, 'exports', { outcome: 'failed' }, { delay: 1, attempts: 1 });
    await until(async () => {
      nest.get(JobWorkers).endPause('exports');
      return exports.runs.length === 3;
    });
    const measured = await values(registry);
    expect(measured).toMatchObject({
      'jobs_due{queue="elsewhere"}': 2,
      'jobs_due{queue="exports"}': 0,
      'jobs_attempts_total{queue="exports",outcome="completed"}': 1,
      'jobs_attempts_total{queue="exports",outcome="retried"}': 1,
      'jobs_attempts_total{queue="exports",outcome="failed"}': 1,
    });
    expect(measured['jobs_oldest_due_seconds{queue="elsewhere"}']).toBeGreaterThanOrEqual(3_600);
    expect(measured['jobs_oldest_due_seconds{queue="elsewhere"}']).toBeLessThan(3_700);
  });

  // Prometheus waits for 10 seconds by default.
  it.each([
    ['fails', () => Promise.reject(new Error('no'))],
    ['does not answer', () => new Promise<never>(() => undefined)],
  ])(
    'are without the numbers of the database while it %s',
    async (_, query) => {
      const registry = new Registry();
      addJobMetrics(registry, { query }, { onOutcome: () => undefined }, ['exports']);
      expect(Object.keys(await values(registry)).filter((name) => name.includes('due'))).toEqual([]);
    },
    10_000,
  );
});
