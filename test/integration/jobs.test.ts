import { setTimeout as sleep } from 'node:timers/promises';

import { Injectable, Module, Scope, Type } from '@nestjs/common';
import { eventually } from '@plinth/dev/testing';

import { Database } from '../../packages/core/src/database/database.js';
import { JobWorkers } from '../../packages/core/src/jobs/job-workers.js';
import { JobOptions } from '../../packages/core/src/jobs/job-options.js';
import { Jobs } from '../../packages/core/src/jobs/jobs.js';
import { Processor } from '../../packages/core/src/jobs/processor.decorator.js';
import { Job, WorkerHost } from '../../packages/core/src/jobs/worker-host.js';
import { startBare, useInProcess } from '../support/own-app.js';

type Run = Job & { readonly signal: AbortSignal };

/** A queue whose tests decide how its jobs end. */
class Recorder extends WorkerHost {
  readonly runs: Run[] = [];
  work: (job: Run) => Promise<unknown> = () => Promise.resolve();

  process(job: Job, signal: AbortSignal): Promise<unknown> {
    const run = { ...job, signal };
    this.runs.push(run);
    return this.work(run);
  }
}

@Injectable()
@Processor('exports', { concurrency: 2, deadLetter: 'failed-exports' })
class Exports extends Recorder {}

@Injectable()
@Processor('failed-exports')
class FailedExports extends Recorder {}

@Injectable()
@Processor('short', { timeout: 1_000 })
class Short extends Recorder {}

@Injectable()
@Processor('elsewhere')
class Elsewhere extends Recorder {
  override readonly isEnabled = false;
}

@Module({ providers: [Exports, FailedExports, Short, Elsewhere] })
class QueuesModule {}

/** Waits until an asynchronous condition is true. */
const until = (holds: () => boolean | Promise<boolean>): Promise<void> =>
  eventually(async () => holds(), true, 20_000);

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
    const [{ pause = 0, output } = {}] = await app.query<{ pause: number; output: object }>(
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

  it.each<[string, string, object, JobOptions, string]>([
    [
      'an unknown queue',
      'nowhere',
      {},
      {},
      `(got 'nowhere'; the queues are elsewhere, exports, failed-exports, mails, short)`,
    ],
    ['an array', 'exports', [], {}, 'data must be an object (got an array)'],
    ['no object', 'exports', 7 as unknown as object, {}, 'data must be an object (got 7)'],
    [
      'a negative delay',
      'exports',
      {},
      { delay: -1 },
      'delay must be a whole number from 0 to 2147483647000 (got -1)',
    ],
    ['no attempt', 'exports', {}, { attempts: 0 }, 'attempts must be a whole number from 1 to 1000 (got 0)'],
    ['a backoff that is no number', 'exports', {}, { backoff: NaN }, 'backoff must be a whole number'],
    [
      'an unknown backoff',
      'exports',
      {},
      { backoff: { type: 'x' as 'fixed', delay: 1 } },
      'backoff.type must be fixed or exponential (got x)',
    ],
    [
      'a long deduplication',
      'exports',
      {},
      { deduplication: { id: 'a', ttl: 3_600_001 } },
      'deduplication.ttl must be',
    ],
  ])('is refused when it is added with %s', async (_, queue, data, options, message) => {
    await expect(add(data, options, queue)).rejects.toThrow(message);
    expect(await stored()).toEqual([]);
  });

  it('is refused if the migration of its queue is missing', async () => {
    await app.query(`select pgboss.delete_queue('short')`);
    await expect(add({}, {}, 'short')).rejects.toThrow(`the migration of the queue 'short' is missing`);
    await app.query(`select pgboss.create_queue('short', '{}')`);
  });
});

describe('jobs at the shutdown of an application', () => {
  it('end, or are interrupted and tried again, and no further job starts', async () => {
    const own = await startBare({}, undefined, [QueuesModule]);
    const { nest } = own.app;
    const host = nest.get(Exports);
    const database = nest.get(Database);
    const { boss } = nest.get(JobWorkers);
    let endFirst = (): void => undefined;
    host.work = ({ data, signal }) =>
      new Promise<void>((resolve, reject) => {
        if ('ends' in data) endFirst = resolve;
        else signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const ids: (string | null)[] = [];
    await database.transaction(async (tx) => {
      for (const data of [{ ends: true }, {}, {}]) ids.push(await nest.get(Jobs).add(tx, 'exports', data));
    });
    await until(() => host.runs.length === 2);
    const stopped = nest.get(JobWorkers).stop(1_000);
    endFirst();
    await stopped;
    const stateOf = async (id: string | null): Promise<string | undefined> =>
      (await boss.getJobById('exports', id ?? ''))?.state;
    const found = await Promise.all(ids.map(stateOf));
    expect(found.sort()).toEqual(['completed', 'created', 'retry']);
    await own.stop();
  });
});

describe('a start with a processor', () => {
  class NoHost {}
  Injectable()(NoHost);
  Processor('a')(NoHost);

  @Injectable()
  class Undecorated extends Recorder {}

  @Injectable()
  @Processor('exports')
  class Other extends Recorder {}

  @Injectable()
  @Processor('a', { deadLetter: 'b' })
  class Homeless extends Recorder {}

  @Injectable({ scope: Scope.REQUEST })
  @Processor('a')
  class Scoped extends Recorder {}

  it.each<[string, Type[], string]>([
    ['that does not extend WorkerHost', [NoHost], `@Processor('a'): NoHost must extend WorkerHost`],
    ['without @Processor()', [Undecorated], 'Undecorated extends WorkerHost, so it must have @Processor()'],
    [
      'of the same queue as another',
      [Exports, FailedExports, Other],
      `@Processor('exports'): only one class may process a queue (got Exports and Other)`,
    ],
    [
      'whose dead letters nobody processes',
      [Homeless],
      `@Processor('a'): deadLetter must be a queue with a class with @Processor() (got 'b')`,
    ],
    ['that is request-scoped', [Scoped], `@Processor('a'): Scoped must not be request-scoped`],
  ])('%s is refused', async (_, providers, message) => {
    @Module({ providers })
    class RefusedModule {}
    await expect(startBare({}, undefined, [RefusedModule])).rejects.toThrow(message);
  });

  it.each<[string, object | undefined, string]>([
    [
      'Exports',
      {},
      'the name must be 1 to 50 lower-case letters, digits and hyphens, and begin with a letter (got Exports)',
    ],
    ['a', { concurrency: 0 }, 'concurrency must be a whole number of at least 1 (got 0)'],
    ['a', { timeout: 999 }, 'timeout must be a whole number of milliseconds from 1000 to 43200000 (got 999)'],
    ['a', { deadLetter: 'a' }, 'deadLetter must be another queue (got a)'],
  ])('of the queue %s with %j is refused at import', (queue, options, message) => {
    expect(() => Processor(queue, options)).toThrow(`@Processor('${queue}'): ${message}`);
  });
});
