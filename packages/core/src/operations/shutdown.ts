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
 * Ends the process on SIGTERM and SIGINT: stops what was registered, the latest first, writes the log and exits with 0.
 * Each step has a bound, and all have one together, so that nothing that hangs holds the process up. A second signal
 * changes nothing: npm passes on the Ctrl-C that the terminal has sent to every process itself.
 */
export class Shutdown {
  private readonly steps: Step[] = [];
  isRunning = false;

  /** @param withinMs for all steps together */
  constructor(
    private readonly logger: Logger,
    private readonly output: Pick<LogOutput, 'flush'>,
    private readonly withinMs: number,
  ) {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.run(0));
    process.on('uncaughtException', (error) => {
      // What a bug left behind is unknown, so the process ends, and whoever runs it starts it again.
      logger.fatal({ err: error }, 'uncaught exception');
      void this.run(1);
    });
    process.on('unhandledRejection', (error) => {
      // A bug as well, but the code that was running has come to its end.
      logger.error({ err: error }, 'unhandled rejection');
    });
  }

  defer(name: string, withinMs: number, stop: Step['stop']): void {
    this.steps.push({ name, withinMs, stop });
  }

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
