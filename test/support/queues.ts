import { Injectable, Module, Type } from '@nestjs/common';
import { eventually } from '@plinth/dev/testing';

import { Database } from '../../packages/core/src/database/database.js';
import { JobOptions } from '../../packages/core/src/jobs/job-options.js';
import { JobWorkers } from '../../packages/core/src/jobs/job-workers.js';
import { Jobs } from '../../packages/core/src/jobs/jobs.js';
import { Processor } from '../../packages/core/src/jobs/processor.decorator.js';
import { Job, WorkerHost } from '../../packages/core/src/jobs/worker-host.js';
import { useInProcess } from './own-app.js';

export type Run = Job & { readonly signal: AbortSignal };

/** A queue whose tests decide how its jobs end. */
export class Recorder extends WorkerHost {
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
export class Exports extends Recorder {}

@Injectable()
@Processor('failed-exports')
export class FailedExports extends Recorder {}

@Injectable()
@Processor('short', { timeout: 1_000 })
export class Short extends Recorder {}

@Injectable()
@Processor('elsewhere')
export class Elsewhere extends Recorder {
  override readonly isEnabled = false;
}

@Module({ providers: [Exports, FailedExports, Short, Elsewhere] })
export class QueuesModule {}

/** Waits until an asynchronous condition is true. */
export const until = (holds: () => boolean | Promise<boolean>): Promise<void> =>
  eventually(async () => holds(), true, 20_000);

/** Starts a service with these queues for the tests of a file. After each test, it removes all jobs. */
export function useQueues() {
  const app = useInProcess({}, undefined, [QueuesModule]);
  const get = <T>(type: Type<T>): T => app.app.nest.get(type);
  /** The state of each job, in the order in which they were added. */
  const states = async (): Promise<string> => {
    const rows = await app.query<{ state: string }>('select state::text from pgboss.job order by created_on');
    return rows.map(({ state }) => state).join();
  };
  afterEach(async () => {
    // Wait for the jobs that have started, so that they are not counted in the next test.
    await app.query(`delete from pgboss.job where state < 'active'`);
    await until(async () => !(await states()).includes('active'));
    await app.query('delete from pgboss.job');
    for (const host of [get(Exports), get(FailedExports), get(Short)]) {
      host.work = () => Promise.resolve();
      host.runs.length = 0;
    }
  });
  return {
    app,
    get,
    states,
    add: (data: object, options?: JobOptions, queue = 'exports'): Promise<string | null> =>
      get(Database).transaction((tx) => get(Jobs).add(tx, queue, data, options)),
    /** Makes all jobs due. */
    hasten: async (): Promise<void> => {
      await app.query(`update pgboss.job set start_after = now() - interval '1 s' where state < 'active'`);
      get(JobWorkers).endPause('exports');
    },
  };
}
