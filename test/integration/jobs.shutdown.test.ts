import { Database } from '../../packages/core/src/database/database.js';
import { JobWorkers } from '../../packages/core/src/jobs/job-workers.js';
import { Jobs } from '../../packages/core/src/jobs/jobs.js';
import { startBare } from '../support/own-app.js';
import { Exports, QueuesModule, until } from '../support/queues.js';

describe('jobs at the shutdown of an application', () => {
  it('end, or are interrupted and tried again, and no further job starts', async () => {
    const own = await startBare({}, undefined, [QueuesModule]);
    const { nest } = own.app;
    const host = nest.get(Exports);
    const database = nest.get(Database);
    const { boss } = nest.get(JobWorkers);
    // Jobs of one transaction were added at the same time, so any of them may be the first.
    let endFirst: (() => void) | undefined;
    host.work = ({ signal }) =>
      new Promise<void>((resolve, reject) => {
        if (!endFirst) endFirst = resolve;
        else signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const ids: (string | null)[] = [];
    await database.transaction(async (tx) => {
      for (let job = 1; job <= 3; job++) ids.push(await nest.get(Jobs).add(tx, 'exports', {}));
    });
    await until(() => host.runs.length === 2);
    const stopped = nest.get(JobWorkers).stop(1_000);
    endFirst?.();
    await stopped;
    const stateOf = async (id: string | null): Promise<string | undefined> =>
      (await boss.getJobById('exports', id ?? ''))?.state;
    const found = await Promise.all(ids.map(stateOf));
    expect(found.sort()).toEqual(['completed', 'created', 'retry']);
    await own.stop();
  });

  it('run again if the outcome could not be stored, which the log says', async () => {
    const own = await startBare({}, undefined, [QueuesModule]);
    const { nest } = own.app;
    const workers = nest.get(JobWorkers);
    jest.spyOn(workers.boss, 'complete').mockRejectedValue(new Error('no database'));
    let end = (): void => undefined;
    nest.get(Exports).work = () => new Promise<void>((resolve) => (end = resolve));
    const id = await nest.get(Jobs).add(nest.get(Database), 'exports', {});
    await until(() => nest.get(Exports).runs.length === 1);
    const stopped = workers.stop(1_000);
    end();
    await stopped;
    expect(own.log).toContainEqual(
      expect.objectContaining({
        msg: `The outcome of the job ${id ?? ''} of the queue exports was not stored, so the job may run again: Error: no database`,
      }),
    );
    await own.stop();
  });
});
