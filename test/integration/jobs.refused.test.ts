import { Injectable, Module, Scope, Type } from '@nestjs/common';

import { Database } from '../../packages/core/src/database/database.js';
import { JobOptions } from '../../packages/core/src/jobs/job-options.js';
import { Jobs } from '../../packages/core/src/jobs/jobs.js';
import { Processor } from '../../packages/core/src/jobs/processor.decorator.js';
import { startBare, useInProcess } from '../support/own-app.js';
import { Exports, FailedExports, QueuesModule, Recorder } from '../support/queues.js';

describe('a job', () => {
  const app = useInProcess({}, undefined, [QueuesModule]);
  let jobs: Jobs;
  let database: Database;
  beforeAll(() => {
    jobs = app.app.nest.get(Jobs);
    database = app.app.nest.get(Database);
  });

  it.each<[string, string, object, JobOptions, string]>([
    [
      'an unknown queue',
      'nowhere',
      {},
      {},
      `(got 'nowhere'; the queues are elsewhere, exports, failed-exports, mails, short)`,
    ],
    ['an array', 'exports', [1], {}, 'data must be an object (got an array of 1 items)'],
    ['null', 'exports', null as never, {}, 'data must be an object (got null)'],
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
      'pauses of more than a lifetime',
      'exports',
      {},
      { attempts: 20, backoff: { type: 'exponential', delay: 86_400_000 } },
      'all attempts and the pauses between them must take at most 2146274047 seconds',
    ],
    [
      'a long deduplication',
      'exports',
      {},
      { deduplication: { id: 'a', ttl: 3_600_001 } },
      'deduplication.ttl must be',
    ],
  ])('is refused when it is added with %s', async (_, queue, data, options, message) => {
    await expect(jobs.add(database, queue, data, options)).rejects.toThrow(message);
    expect(await app.query('select from pgboss.job')).toEqual([]);
  });

  it('is refused if the migration of its queue is missing', async () => {
    await app.query(`select pgboss.delete_queue('short')`);
    for (const options of [{}, { jobId: 'a' }, { deduplication: { id: 'a', ttl: 1_000 } }])
      await expect(jobs.add(database, 'short', {}, options)).rejects.toThrow(
        `the migration of the queue 'short' is missing`,
      );
    await app.query(`select pgboss.create_queue('short', '{}')`);
  });
});

describe('a start with a processor', () => {
  @Injectable()
  @Processor('a')
  class NoHost {
    async process(): Promise<void> {}
  }

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
