import { eventually } from '@plinth/dev/testing';

import { JobOptions } from '../../packages/core/src/jobs/job-options.js';
import { JobWorkers } from '../../packages/core/src/jobs/job-workers.js';
import { codeBlocks } from '../support/code-blocks.js';
import { Exports, FailedExports, Short, until, useQueues } from '../support/queues.js';

describe('a job that fails', () => {
  const { app, get, add, states, hasten } = useQueues();
  let exports: Exports;
  beforeAll(() => {
    exports = get(Exports);
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
    const dead = get(FailedExports);
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

  it('is interrupted after its time limit, even if it ignores the signal', async () => {
    const short = get(Short);
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
    const workers = get(JobWorkers);
    const outcomes = jest.spyOn(workers, 'onOutcome');
    await app.query(`update pgboss.job set started_on = started_on - expire_in`);
    await workers.maintain();
    await eventually(async () => outcomes.mock.calls.join(), 'exports,retried', 10_000);
    outcomes.mockRestore();
    await until(async () => {
      await hasten();
      return exports.runs.length === 2;
    });
    const failedReason =
      'the attempt was interrupted: its process was killed, or did not report the outcome in time';
    expect(exports.runs[1]).toMatchObject({ attemptsMade: 1, failedReason });
    expect(app.log).toContainEqual(
      expect.objectContaining({
        msg: `Job ${exports.runs[0]?.id ?? ''} of the queue exports failed (attempt 1 of 5)`,
        stack: expect.stringContaining(failedReason) as unknown,
      }),
    );
    end();
  });

  it('of which the last attempt was interrupted becomes a dead letter, and counts as failed', async () => {
    let end = (): void => undefined;
    exports.work = () => new Promise<void>((resolve) => (end = resolve));
    const dead = get(FailedExports);
    await add({}, { attempts: 1 });
    await until(() => exports.runs.length === 1);
    const workers = get(JobWorkers);
    const outcomes = jest.spyOn(workers, 'onOutcome');
    await app.query(`update pgboss.job set started_on = started_on - expire_in`);
    // Several processes look for interrupted attempts at the same time.
    await Promise.all([workers.maintain(), workers.maintain()]);
    workers.endPause('failed-exports');
    await until(() => dead.runs.length === 1);
    expect(dead.runs[0]?.failedReason).toContain('the attempt was interrupted');
    expect(outcomes.mock.calls.filter(([queue]) => queue === 'exports')).toEqual([['exports', 'failed']]);
    outcomes.mockRestore();
    end();
  });

  it('is tried again after a pause if it is a dead letter', async () => {
    const dead = get(FailedExports);
    exports.work = dead.work = () => Promise.reject(new Error('no'));
    await add({}, { attempts: 2, backoff: 3_600_000 });
    await eventually(states, 'retry', 10_000);
    await hasten();
    await eventually(async () => (await states()).startsWith('failed,'), true, 10_000);
    get(JobWorkers).endPause('failed-exports');
    await eventually(states, 'failed,retry', 10_000);
    const [{ pause } = {}] = await app.query<{ pause: number }>(
      `select extract(epoch from start_after - started_on)::float8 as pause from pgboss.job where state = 'retry'`,
    );
    expect(pause).toBeGreaterThanOrEqual(5);
  });

  it('is tried again by the statement of the docs, long after it has failed', async () => {
    exports.work = () => Promise.reject(new Error('no'));
    await add({}, { attempts: 1 });
    await eventually(async () => (await states()).includes('failed'), true, 10_000);
    await app.query(`delete from pgboss.job where state <> 'failed'`);
    await app.query(
      `update pgboss.job set started_on = now() - interval '2 h', completed_on = now() - interval '2 h'`,
    );
    const statement = codeBlocks('packages/core/docs/jobs.md').find(({ code }) => code.startsWith('update'));
    await app.query(statement!.code.replace('product-exports', 'exports'));
    // Old jobs are removed every 15 seconds.
    await get(JobWorkers).maintain();
    exports.work = () => Promise.resolve();
    get(JobWorkers).endPause('exports');
    await until(() => exports.runs.length === 2);
    await eventually(states, 'completed', 10_000);
  });

  it('has the time limit of its queue, even if the row in the table allows more', async () => {
    const short = get(Short);
    let end = (): void => undefined;
    short.work = () => new Promise<void>((resolve) => (end = resolve));
    await app.query(`insert into pgboss.job (name, data) values ('short', '{}')`);
    get(JobWorkers).endPause('short');
    await eventually(states, 'retry', 10_000);
    end();
  });

  it.each<[JobOptions, number]>([
    [{ attempts: 1 }, 14 * 86_400 + 315],
    [{ attempts: 3, backoff: 86_400_000 }, 16 * 86_400 + 3 * 315],
    [{ attempts: 3, backoff: { type: 'exponential', delay: 0 } }, 14 * 86_400 + 2 + 4 + 3 * 315],
    [{ attempts: 1_000 }, 14 * 86_400 + 5 * (2 ** 17 - 2 + 983 * 2 ** 16) + 1_000 * 315],
  ])('with %j is not removed before its last attempt', async (options, stored) => {
    await add({}, { ...options, delay: 3_600_000 }, 'elsewhere');
    const [{ seconds } = {}] = await app.query<{ seconds: number }>(
      `select extract(epoch from keep_until - start_after)::float8 as seconds from pgboss.job`,
    );
    expect(seconds).toBe(stored);
  });

  it('starts as soon as the table can be read again, and the log says why it could not', async () => {
    const lines = (): unknown[] =>
      app.log.filter(({ msg }) => String(msg).startsWith('No jobs of the queue exports'));
    await app.query('alter table pgboss.job rename to job_away');
    try {
      for (const _ of [1, 2, 3]) {
        get(JobWorkers).endPause('exports');
        await eventually(() => Promise.resolve(lines().length), 1, 10_000);
      }
    } finally {
      await app.query('alter table pgboss.job_away rename to job');
    }
    expect(lines()).toEqual([
      expect.objectContaining({
        level: 40,
        msg: 'No jobs of the queue exports can start: error: relation "pgboss.job" does not exist',
      }),
    ]);
    await add({});
    await until(() => exports.runs.length === 1);
  });

  it('is tried again even if onFailed() of its processor fails', async () => {
    for (const fail of [
      () => Promise.reject(new Error('not reported')),
      () => {
        throw new Error('not reported');
      },
    ]) {
      const onFailed = jest.spyOn(exports, 'onFailed').mockImplementation(fail);
      exports.work = () => Promise.reject(new Error('no'));
      await add({});
      await until(async () => (await states()).includes('retry'));
      await app.query('delete from pgboss.job');
      onFailed.mockRestore();
    }
    const logged = app.log.filter(({ msg }) => msg === 'onFailed() of a processor failed');
    expect(logged).toHaveLength(2);
  });
});
