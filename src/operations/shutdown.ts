import { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { INestApplication } from '@nestjs/common';
import { Logger } from 'pino';

import { LogOutput } from '../http/logging/log-output.js';
import { Connections } from '../http/server/connections.js';
import { drain } from '../http/server/drain.js';
import { RawErrors } from '../http/server/raw-errors.js';
import { Lifecycle } from './availability.js';

/** From the closing of the port: when connections that are left are cut, */
const DRAINED_MS = 6_000;
/** when pools that do not close are left as they are, */
const CLOSED_MS = 7_500;
/** when an embedded database that does not stop is left to itself, */
const STOPPED_MS = 9_000;
/** and when the process ends whatever there is. */
const EXIT_MS = 9_500;

interface Stoppable {
  readonly nest: INestApplication;
  readonly lifecycle: Lifecycle;
  readonly connections: Connections;
  readonly rawErrors: RawErrors;
}

/**
 * Stops the process on SIGTERM and SIGINT, in order: readiness says so, the port closes after the delay of the
 * configuration, requests are answered and connections ended, the port of the metrics closes, pools close, the embedded database stops, the log is
 * written, exit 0. From the closing of the port on it takes less than 10 seconds, whatever hangs. A second signal
 * changes nothing.
 */
export class Shutdown {
  private app: Stoppable | undefined;
  private afterDrain: (() => Promise<void>) | undefined;
  private stopLast: (() => Promise<void>) | undefined;
  private isRunning = false;

  constructor(
    private readonly logger: Logger,
    private readonly delayMs: number,
    private readonly output: Pick<LogOutput, 'flush'>,
  ) {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => void this.run(0, this.delayMs));
    process.on('uncaughtException', (error) => {
      // A bug: what it left behind is unknown, so the process ends, in order, for whoever runs it to start it anew.
      this.logger.fatal({ err: error }, 'uncaught exception');
      void this.run(1);
    });
    process.on('unhandledRejection', (error) => {
      // A bug too, but one that left the code that was running to its end: not worth everybody's requests.
      this.logger.error({ err: error }, 'unhandled rejection');
    });
  }

  /** The application that is stopped first. */
  of(app: Stoppable): void {
    this.app = app;
  }

  /** What is to close when all requests are answered, and not before: the metrics. */
  drained(close: () => Promise<void>): void {
    this.afterDrain = close;
  }

  /** Resources to stop once nothing needs them any more. */
  last(stop: () => Promise<void>): void {
    this.stopLast = stop;
  }

  /** @param delayMs how long the port stays open for balancers that poll readiness */
  async run(exitCode: number, delayMs = 0): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    const server = this.app?.nest.getHttpServer() as Server | undefined;
    if (this.app && server?.listening) {
      this.app.lifecycle.isStopping = true;
      await sleep(delayMs);
    }
    const startedAt = performance.now();
    const left = (untilMs: number): number => Math.max(0, startedAt + untilMs - performance.now());
    setTimeout(() => process.exit(exitCode), EXIT_MS);
    if (this.app && server?.listening) {
      const { connections, rawErrors } = this.app;
      await drain(server, connections, { withinMs: DRAINED_MS, timeOut: rawErrors.answerClientError });
    }
    await this.within(left(CLOSED_MS), 'closing the metrics', this.afterDrain?.());
    await this.within(left(CLOSED_MS), 'closing the pools', this.app?.nest.close());
    await this.within(left(STOPPED_MS), 'stopping the embedded database', this.stopLast?.());
    await this.output.flush(left(EXIT_MS));
    process.exit(exitCode);
  }

  /** Waits for a step of the way out; one that fails or takes too long does not hold up the next. */
  private async within(ms: number, step: string, work: Promise<void> | undefined): Promise<void> {
    if (!work) return;
    const abandoned = new AbortController();
    try {
      await Promise.race([work, failAfter(ms, abandoned.signal)]);
    } catch (error) {
      this.logger.error({ err: error }, `${step} failed`);
    } finally {
      abandoned.abort();
    }
  }
}

async function failAfter(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
  throw new Error(`it took more than ${Math.round(ms)} ms`);
}
