import { DiscoveryService } from '@nestjs/core';

/** How the jobs of a queue run. */
export interface ProcessorOptions {
  /** How many jobs of the queue a process runs at the same time. The default is 1. */
  readonly concurrency?: number;
  /**
   * The time limit of an attempt, in milliseconds, up to 12 hours. The default is 5 minutes. If a process is killed,
   * another process runs its job again after about this time, so set it only a little above the longest attempt.
   */
  readonly timeout?: number;
  /** The queue that gets a copy of each job whose last attempt failed. It needs a class with `@Processor()`, too. */
  readonly deadLetter?: string;
}

/** The queue that a class with `@Processor()` declares. */
export interface Queue extends Required<Omit<ProcessorOptions, 'deadLetter'>> {
  readonly name: string;
  readonly deadLetter: string | undefined;
}

const DEFAULTS = { concurrency: 1, timeout: 300_000 };
/** pg-boss allows less than a day, and a retry must still fit into the retention of failed jobs. */
const MAX_TIMEOUT_MS = 43_200_000;
const QUEUE_NAME = /^[a-z][a-z0-9-]{0,49}$/;

/** The metadata of `@Processor()`. */
export const ProcessorMetadata = DiscoveryService.createDecorator<Queue>();

/**
 * Declares a queue, and the class that runs its jobs. The class extends `WorkerHost`, and is a provider of a module. A
 * migration, which runs with the others, creates the queue. `Jobs` adds jobs to it.
 *
 * Do not use it for work that may get lost if the process is killed: use `tx.afterCommit()`.
 * @param queue the name: lower-case letters, digits and hyphens
 * @throws Error if the name or an option is not allowed
 * @throws Error at start, if the class does not extend `WorkerHost` or is request-scoped, if another class processes
 * the same queue, or if no class processes the queue `deadLetter`
 * @example
 * @Processor('exports', { concurrency: 2, deadLetter: 'failed-exports' })
 * export class ExportsProcessor extends WorkerHost {
 *   async process(job: Job<{ userId: number }>): Promise<void> { … }
 * }
 */
export function Processor(queue: string, options: ProcessorOptions = {}): ClassDecorator {
  const { concurrency, timeout, deadLetter } = { ...DEFAULTS, deadLetter: undefined, ...options };
  const refuse = (rule: string, got: unknown): never => {
    throw new Error(`@Processor('${queue}'): ${rule} (got ${String(got)})`);
  };
  if (!QUEUE_NAME.test(queue))
    refuse('the name must be 1 to 50 lower-case letters, digits and hyphens, and begin with a letter', queue);
  if (!Number.isInteger(concurrency) || concurrency < 1)
    refuse('concurrency must be a whole number of at least 1', concurrency);
  if (!Number.isInteger(timeout) || timeout < 1000 || timeout > MAX_TIMEOUT_MS)
    refuse(`timeout must be a whole number of milliseconds from 1000 to ${MAX_TIMEOUT_MS}`, timeout);
  if (deadLetter === queue) refuse('deadLetter must be another queue', deadLetter);
  return ProcessorMetadata({ name: queue, concurrency, timeout, deadLetter });
}
