import { Server } from 'node:http';

import { INestApplication } from '@nestjs/common';

import { Connections } from '../http/server/connections.js';
import { drain } from '../http/server/drain.js';
import { Lifecycle } from './availability.js';
import { Stoppable } from './shutdown.js';

/** From the closing of the port: when connections that are left are cut. */
const DRAINED_MS = 6_000;

/** The parts of an application that matter when it stops. */
export interface RunningApp {
  readonly nest: INestApplication;
  readonly lifecycle: Lifecycle;
  readonly connections: Connections;
}

/** The service in a process of its own. */
export class ServedApp implements Stoppable {
  constructor(protected readonly app: RunningApp) {}

  get isServing(): boolean {
    return this.server?.listening ?? false;
  }

  announce(_exitCode: number): void | Promise<void> {
    this.app.lifecycle.isStopping = true;
  }

  async drain(): Promise<void> {
    if (this.server) await drain(this.server, this.app.connections, DRAINED_MS);
  }

  close(): Promise<void> {
    return this.app.nest.close();
  }

  private get server(): Server | undefined {
    return this.app.nest.getHttpServer() as Server | undefined;
  }
}
