import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '@plinth/dev/testing';

import { Database } from '../../packages/core/src/database/database.js';
import { JobOptions } from '../../packages/core/src/jobs/job-options.js';
import { JobWorkers } from '../../packages/core/src/jobs/job-workers.js';
import { Jobs } from '../../packages/core/src/jobs/jobs.js';
import { useInProcess } from '../support/own-app.js';
import { Elsewhere, Exports, FailedExports, QueuesModule, Short, until } from '../support/queues.js';

describe('a job', () => {
  const app = useInProcess({}, undefined, [QueuesModule]);
  let jobs: Jobs;
  let database: Database;
  let exports: Exports;
  beforeAll(() => {
    jobs = app.app.nest.get(Jobs);
    database = app.app.nest.get(Database);
    exports = app.app.nest.get(Exports);
  });
  afterEach(async () => {
    // Wait for the jobs that have started, so that they are not counted in the next test.
    await app.query(`delete from pgboss.job where state < 'active'`);
    await until(async () => !(await states()).includes('active'));
    await app.query('delete from pgboss.job');
    exports.work = () => Promise.resolve();
    exports.runs.length = 0;
  });

  const add = (data: object, options?: JobOptions, queue = 'exports'): Promise<string | null> =>
    database.transaction((tx) => jobs.add(tx, queue, data, options));
  const stored = (): Promise<{ name: string; state: string; retries: number }[]> =>
    app.query(`select name, state::text, retry_count as retries from pgboss.job order by created_on`);
  const states = async (): Promise<string> => (await stored()).map(({ state }) => state).join();
  /** Makes all jobs due. */
  const hasten = async (): Promise<void> => {
    await app.query(`update pgboss.job set start_after = now() - interval '1 s' where state < 'active'`);
    app.app.nest.get(JobWorkers).endPause('exports');
  };

  it('runs after the commit, with its data and an id', async () => {
    const id = await database.transaction(async (tx) => {
      const added = await jobs.add(tx, 'exports', { at: new Date(0), of: ['x'] });
      await sleep(100);
      expect(exports.runs).toEqual([]);
      return added;
    });
    await until(() => exports.runs.length === 1);
    expect(exports.runs[0]).toMatchObject({
      id,
      queueName: 'exports',
      data: { at: '1970-01-01T00:00:00.000Z', of: ['x'] },
      attemptsMade: 0,
      opts: { attempts: 5 },
      failedReason: undefined,
    });
    await eventually(states, 'completed', 10_000);
  });

  it('is not stored if the transaction is rolled back', async () => {
    const work = database.transaction(async (tx) => {
      await jobs.add(tx, 'exports', {});
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await stored()).toEqual([]);
  });

  it('waits for its delay', async () => {
    await add({ n: 1 }, { delay: 3_600_000 });
    await add({ n: 2 });
    await until(() => exports.runs.length === 1);
    expect(exports.runs[0]?.data).toEqual({ n: 2 });
    const [{ wait } = {}] = await app.query<{ wait: number }>(
      `select extract(epoch from start_after - created_on)::float8 as wait from pgboss.job where state = 'created'`,
    );
    expect(wait).toBe(3_600);
  });

  it.each<[string, JobOptions, number, number]>([
    ['exponential by default', {}, 5, 10],
    ['fixed if the backoff is a number', { backoff: 7_500 }, 8, 8],
    ['as long as the backoff says', { backoff: { type: 'fixed', delay: 60_000 } }, 60, 60],
    ['random', { backoff: { type: 'exponential', delay: 60_000 } }, 60, 120],
  ])('is tried again after a pause that is %s', async (_, options, least, most) => {
    exports.work = () => Promise.reject(new Error('refused \0 \uD800'));
    await add({}, options);
    await eventually(states, 'retry', 10_000);
    const [{ pause, output } = {}] = await app.query<{ pause: number; output: object }>(
      `select extract(epoch from start_after - now())::float8 as pause, output from pgboss.job`,
    );
    // Some time has passed since the pause began.
    expect(pause).toBeGreaterThan(least - 3);
    expect(pause).toBeLessThanOrEqual(most);
    expect(output).toEqual({ message: 'refused … …' });
    expect(app.log).toContainEqual(
      expect.objectContaining({
        msg: `Job ${exports.runs[0]?.id ?? ''} of the queue exports failed (attempt 1 of 5)`,
        stack: expect.stringContaining('Error: refused') as unknown,
      }),
    );
  });

  it('becomes a dead letter after its last attempt', async () => {
    const dead = app.app.nest.get(FailedExports);
    exports.work = ({ attemptsMade }) => Promise.reject(new Error(`refused ${attemptsMade}`));
    const id = await add({ of: 'products' }, { attempts: 2, backoff: 0 });
    await until(async () => {
      await hasten();
      return exports.runs.length === 2;
    });
    expect(exports.runs.map((run) => [run.id, run.attemptsMade, run.failedReason])).toEqual([
      [id, 0, undefined],
      [id, 1, 'refused 0'],
    ]);
    await until(() => dead.runs.length === 1);
    expect(dead.runs[0]).toMatchObject({ data: { of: 'products' }, failedReason: 'refused 1' });
    expect(dead.runs[0]?.id).not.toBe(id);
    await eventually(states, 'failed,completed', 10_000);
  });

  it('is added once as long as a job with the same jobId is stored', async () => {
    const ids = [await add({}, { jobId: 'a' }), await add({}, { jobId: 'a' }), await add({}, { jobId: 'b' })];
    expect(ids).toEqual([expect.any(String), null, expect.any(String)]);
    await until(() => exports.runs.length === 2);
    expect(await add({}, { jobId: 'a' }, 'elsewhere')).toBe(ids[0]);
  });

  it('is added once in each period of its deduplication', async () => {
    const deduplication = { id: 'a', ttl: 3_600_000 };
    expect(await add({}, { deduplication })).not.toBeNull();
    expect(await add({}, { deduplication })).toBeNull();
    expect(await add({}, { deduplication: { ...deduplication, id: 'b' } })).not.toBeNull();
  });

  it('runs at the same time as only as many others as `concurrency` says', async () => {
    const ends: (() => void)[] = [];
    exports.work = () => new Promise<void>((resolve) => ends.push(resolve));
    for (const n of [1, 2, 3, 4]) await add({ n });
    await until(() => exports.runs.length === 2);
    await sleep(200);
    expect(exports.runs).toHaveLength(2);
    ends[0]?.();
    await until(() => exports.runs.length === 3);
    for (const end of ends) end();
    await until(() => exports.runs.length === 4);
    for (const end of ends) end();
    await eventually(states, 'completed,completed,completed,completed', 10_000);
  });

  it('is interrupted after its time limit, even if it ignores the signal', async () => {
    const short = app.app.nest.get(Short);
    let end = (): void => undefined;
    short.work = () => new Promise<void>((resolve) => (end = resolve));
    await add({}, {}, 'short');
    await eventually(states, 'retry', 10_000);
    expect(short.runs[0]?.signal.aborted).toBe(true);
    const [{ output } = {}] = await app.query<{ output: object }>('select output from pgboss.job');
    expect(output).toEqual({ message: 'the attempt took more than 1000 ms' });
    end();
  });

  it('runs again after an attempt whose process was killed', async () => {
    let isFirst = true;
    let end = (): void => undefined;
    exports.work = () => {
      if (!isFirst) return Promise.resolve();
      isFirst = false;
      return new Promise<void>((resolve) => (end = resolve));
    };
    await add({});
    await until(() => exports.runs.length === 1);
    await app.query(`update pgboss.job set started_on = started_on - expire_in`);
    await app.app.nest.get(JobWorkers).boss.maintain();
    await until(async () => {
      await hasten();
      return exports.runs.length === 2;
    });
    expect(exports.runs[1]).toMatchObject({
      attemptsMade: 1,
      failedReason: 'job failed by timeout in active state',
    });
    end();
  });

  it('is kept for another process if this process does not run its queue', async () => {
    await add({}, {}, 'elsewhere');
    await add({});
    await until(() => exports.runs.length === 1);
    expect(app.app.nest.get(Elsewhere).runs).toEqual([]);
    expect((await stored())[0]).toMatchObject({ name: 'elsewhere', state: 'created' });
  });
});
