import { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { INestApplication } from '@nestjs/common';
import { Logger } from 'pino';

import { Lifecycle } from './availability.js';

/** How long requests that are running may take to end. */
const GRACE_MS = 10_000;
/** How often it is looked whether they have. */
const POLL_MS = 20;

interface Stoppable {
  readonly nest: INestApplication;
  readonly lifecycle: Lifecycle;
}

/**
 * Stops the process on SIGTERM and SIGINT, in order: no new connections, requests in flight end or are cut after 10
 * seconds, pools close, the embedded database stops, exit 0. A second signal changes nothing.
 */
export class Shutdown {
  private app: Stoppable | undefined;
  private stopLast: (() => Promise<void>) | undefined;
  private isRunning = false;

  constructor(private readonly logger: Logger) {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.run(0));
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

  /** What is stopped when nothing needs it any more. */
  last(stop: () => Promise<void>): void {
    this.stopLast = stop;
  }

  async run(exitCode: number): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      if (this.app) await drain(this.app);
      await this.app?.nest.close();
    } catch (error) {
      this.logger.error({ err: error }, 'stopping failed');
    }
    await this.stopLast?.().catch((error: unknown) => {
      this.logger.error({ err: error }, 'stopping the embedded database failed');
    });
    this.logger.flush();
    process.exit(exitCode);
  }
}

/** Stops accepting, and returns when no request is in flight or the time is up. Silent connections are not waited for. */
async function drain({ nest, lifecycle }: Stoppable): Promise<void> {
  lifecycle.isStopping = true;
  const server = nest.getHttpServer() as Server;
  if (!server.listening) return;
  server.close();
  // HTTP/2 servers have no such thing: their sessions end with their streams.
  (server as Partial<Server>).closeIdleConnections?.();
  const deadline = Date.now() + GRACE_MS;
  while (lifecycle.inFlight > 0 && Date.now() < deadline) await sleep(POLL_MS);
  (server as Partial<Server>).closeAllConnections?.();
}
