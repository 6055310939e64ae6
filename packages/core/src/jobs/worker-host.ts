import { Logger } from '@nestjs/common';

/** A job, as `WorkerHost.process()` gets it. */
export interface Job<Data extends object = object> {
  /** A UUID, which is the same for each attempt. */
  readonly id: string;
  readonly queueName: string;
  /** The object that was passed to `Jobs.add()`, after a round trip through JSON. */
  readonly data: Data;
  /** The number of earlier attempts: 0 in the first attempt. */
  readonly attemptsMade: number;
  readonly opts: {
    /** The number of attempts after which the job has failed. */
    readonly attempts: number;
  };
  /** The message of the attempt that failed last. In a dead letter, it says why the original job failed. */
  readonly failedReason: string | undefined;
}

/**
 * Runs the jobs of a queue. Extend it, and decorate the class with `@Processor()`.
 * @example
 * @Processor('exports')
 * export class ExportsProcessor extends WorkerHost {
 *   constructor(private readonly exports: ExportsService) { super(); }
 *
 *   async process({ data }: Job<{ exportId: number }>): Promise<void> {
 *     await this.exports.write(data.exportId);
 *   }
 * }
 */
export abstract class WorkerHost {
  /**
   * Whether this process runs jobs of the queue. If it is `false`, the process still adds jobs. Override it to run jobs
   * only in some processes, for example by a setting.
   */
  readonly isEnabled: boolean = true;

  /**
   * Runs a job. If it throws, the attempt has failed, and the job is tried again until its attempts are used up. The
   * same job may run more than once: if the process is killed during an attempt or directly after it, another process
   * runs the job again.
   * @param signal is aborted if the attempt exceeds its `timeout`, or if the process shuts down. If the method has not
   * returned a second later, the attempt has failed
   */
  abstract process(job: Job, signal: AbortSignal): Promise<unknown>;

  /**
   * Reports that an attempt has failed, or was interrupted because its process was killed. By default, it logs the error.
   * Override it to change the text. If it throws, the error is logged.
   */
  onFailed(job: Job, error: Error): void | Promise<void> {
    const { id, queueName, attemptsMade, opts } = job;
    const attempt = `attempt ${attemptsMade + 1} of ${opts.attempts}`;
    new Logger('Jobs').error(`Job ${id} of the queue ${queueName} failed (${attempt})`, error.stack);
  }
}

/** Calls `onFailed()`. If it throws, the error is logged. */
export async function reportFailure(host: WorkerHost, job: Job, error: Error): Promise<void> {
  try {
    await host.onFailed(job, error);
  } catch (fault) {
    new Logger('Jobs').error(
      'onFailed() of a processor failed',
      fault instanceof Error ? fault.stack : fault,
    );
  }
}
