import { setTimeout as sleep } from 'node:timers/promises';

import { Logger } from 'pino';

import { LogOutput } from '../http/logging/log-output.js';

/** Milliseconds from the closing of the port. */
export interface Deadlines {
  /** When pools that do not close are left as they are. */
  readonly closedMs: number;
  /** When an embedded database that does not stop is left to itself. */
  readonly stoppedMs: number;
  /** When the process ends whatever there is. */
  readonly exitMs: number;
}

/** How long a collector may take for the last spans. */
const SENT_MS = 1_000;

const DEADLINES: Deadlines = { closedMs: 7_500, stoppedMs: 9_000, exitMs: 9_500 };

/** The parts of a process that end before it does, in steps. */
export interface Stoppable {
  /** Whether clients can reach it. */
  readonly isServing: boolean;
  /** Tells those who send connections that the port is about to close. */
  announce(exitCode: number): void | Promise<void>;
  /** Closes the port, answers what was sent and ends connections, within a bound of its own. */
  drain(): Promise<void>;
  /** Gives back what it holds. */
  close(): Promise<void>;
}

/**
 * Stops the process on SIGTERM and SIGINT, in order: readiness says so, the port closes after the delay of the
 * configuration, requests are answered and connections ended, the port of the metrics closes, pools close, the embedded
 * database stops, the last spans are sent, the log is written, exit 0. From the closing of the port on it takes less
 * than 10 seconds, whatever hangs. A second signal changes nothing.
 */
export class Shutdown {
  private service: Stoppable | undefined;
  private afterDrain: (() => Promise<void>) | undefined;
  private atTheEnd: (() => Promise<void>) | undefined;
  private stopLast: (() => Promise<void>) | undefined;
  /** Whether the process is being stopped. */
  isRunning = false;

  constructor(
    private readonly logger: Logger,
    private readonly delayMs: number,
    private readonly output: Pick<LogOutput, 'flush'>,
    private readonly deadlines = DEADLINES,
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

  /** The service that is stopped first. */
  of(service: Stoppable): void {
    this.service = service;
  }

  /** Registers something to close when all requests are answered, and not before: the metrics. */
  drained(close: () => Promise<void>): void {
    this.afterDrain = close;
  }

  /** Registers something to send when everything has ended: traces. It has a second. */
  ended(send: () => Promise<void>): void {
    this.atTheEnd = send;
  }

  /** Resources to stop once nothing needs them any more: those that were registered last go first. */
  last(stop: () => Promise<void>): void {
    const { stopLast } = this;
    this.stopLast = async () => {
      try {
        await stop();
      } finally {
        await stopLast?.();
      }
    };
  }

  /** @param delayMs how long the port stays open for balancers that poll readiness */
  async run(exitCode: number, delayMs = 0): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    const { service, deadlines } = this;
    const isServing = service?.isServing ?? false;
    if (isServing) {
      await service?.announce(exitCode);
      await sleep(delayMs);
    }
    const startedAt = performance.now();
    const left = (untilMs: number): number => Math.max(0, startedAt + untilMs - performance.now());
    setTimeout(() => process.exit(exitCode), deadlines.exitMs);
    if (isServing) await service?.drain();
    await this.within(left(deadlines.closedMs), 'closing the metrics', this.afterDrain?.());
    await this.within(left(deadlines.closedMs), 'closing the pools', service?.close());
    await this.within(left(deadlines.stoppedMs), 'stopping the embedded database', this.stopLast?.());
    const toSendMs = Math.min(left(deadlines.exitMs), SENT_MS);
    await this.within(toSendMs, 'sending traces', this.atTheEnd?.());
    await this.output.flush(left(deadlines.exitMs));
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
