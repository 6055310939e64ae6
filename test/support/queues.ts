import { Injectable, Module } from '@nestjs/common';
import { eventually } from '@plinth/dev/testing';

import { Processor } from '../../packages/core/src/jobs/processor.decorator.js';
import { Job, WorkerHost } from '../../packages/core/src/jobs/worker-host.js';

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
