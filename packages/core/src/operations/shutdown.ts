import { setTimeout as sleep } from 'node:timers/promises';

import { Logger } from 'pino';

import { LogOutput } from '../http/logging/log-output.js';

const FLUSH_MS = 500;

interface Step {
  readonly name: string;
  readonly withinMs: number;
  readonly stop: (exitCode: number) => unknown;
}

/**
 * Ends the process on SIGTERM and SIGINT. It runs the steps that were added by `defer()` in reverse order, writes the
 * log, and exits with 0. Each step has a time limit, and there is a limit for all steps together. So a step that hangs
 * cannot keep the process alive.
 *
 * A second signal has no effect, because after Ctrl-C the process gets one signal from the terminal and another signal
 * from npm.
 */
export class Shutdown {
  private readonly steps: Step[] = [];
  isRunning = false;

  /** @param withinMs the time limit of all steps together */
  constructor(
    private readonly logger: Logger,
    private readonly output: Pick<LogOutput, 'flush'>,
    private readonly withinMs: number,
  ) {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.run(0));
    process.on('uncaughtException', (error) => {
      // After a bug, the state of the process is unknown, so end the process. Its supervisor starts it again.
      logger.fatal({ err: error }, 'uncaught exception');
      void this.run(1);
    });
    process.on('unhandledRejection', (error) => {
      // An unhandled rejection is a bug too, but the code that caused it has ended, so the process can continue.
      logger.error({ err: error }, 'unhandled rejection');
    });
  }

  /**
   * Adds a step.
   * @param name names the step in the log if it fails
   * @param withinMs the time limit of the step
   * @param stop runs the step. It gets the exit code
   */
  defer(name: string, withinMs: number, stop: Step['stop']): void {
    this.steps.push({ name, withinMs, stop });
  }

  /** Runs the steps and exits. Does nothing if the shutdown is already running. */
  async run(exitCode: number): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    const deadline = performance.now() + this.withinMs;
    for (const { name, withinMs, stop } of this.steps.toReversed()) {
      const ms = Math.round(Math.min(withinMs, Math.max(0, deadline - performance.now())));
      const tooLate = sleep(ms).then(() => {
        throw new Error(`it took more than ${ms} ms`);
      });
      await Promise.race([Promise.resolve(exitCode).then(stop), tooLate]).catch((error: unknown) => {
        this.logger.error({ err: error }, `${name} failed`);
      });
    }
    await this.output.flush(FLUSH_MS);
    process.exit(exitCode);
  }
}
