import { once } from 'node:events';
import { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { DATABASE_UNAVAILABLE } from '../database/database.errors.js';
import { OnDatabaseAway } from '../database/database-away.js';
import { databaseErrorCode } from '../database/database-error.js';
import { describeDatabaseFault } from '../database/readiness-fault.js';
import { ApiError } from '../http/errors/api-error.js';
import { readRequestId } from '../http/request-id.js';
import { NOT_READY } from '../operations/health.controller.js';
import { notReady } from '../operations/readiness.js';
import { Program, say, toListenHost } from './program.js';

const RETRY_MS = 500;

/**
 * Keeps a process alive that starts while its database is away. Without it, the process would end, and its supervisor
 * would start it again and again, with longer and longer pauses. The server of the application already listens, but its
 * routes do not exist yet. So this class answers all requests until `end()`: `/health/live` with 200, `/health/ready`
 * with 503 and the reason, and the others with 503.
 */
export class DatabaseWait {
  private server: Server | undefined;
  private reason: string | undefined;
  /** The response of `/health/ready`. */
  private notReady: ApiError | undefined;

  constructor(private readonly program: Pick<Program, 'config' | 'logger'>) {}

  /** Wraps the listener of the application, and remembers the server that `create` returns for it. */
  createServer(create: (listener: RequestListener) => Server, listener: RequestListener): Server {
    this.server = create((request, response) => {
      if (this.notReady) answer(request, response, this.notReady);
      else listener(request, response);
    });
    return this.server;
  }

  /** Opens the port, reports the reason if it has changed, and waits for half a second. */
  readonly pause: OnDatabaseAway = async (error) => {
    const { message, code = databaseErrorCode(error) } = error as { message: string; code?: string };
    const reason = message || String(code);
    if (reason !== this.reason) {
      this.program.logger.warn({ err: error }, 'The service waits for the database');
      say(`Not ready      waits for the database: ${reason}`);
    }
    this.reason = reason;
    this.notReady = new ApiError(NOT_READY, notReady([describeDatabaseFault(error)]));
    if (this.server && !this.server.listening) await this.listen(this.server);
    await sleep(RETRY_MS);
  };

  /**
   * Lets the application answer, and closes the port, so that the application can open it.
   * @returns the port, or `undefined` if it was not open
   */
  end(): number | undefined {
    this.notReady = undefined;
    if (!this.server?.listening) return undefined;
    const { port } = this.server.address() as AddressInfo;
    this.server.close();
    return port;
  }

  private async listen(server: Server): Promise<void> {
    const { host, port } = this.program.config;
    server.listen(port, toListenHost(host));
    await once(server, 'listening');
  }
}

const UNAVAILABLE = new ApiError(DATABASE_UNAVAILABLE);

function answer(request: IncomingMessage, response: ServerResponse, notReadyError: ApiError): void {
  const [path] = (request.url ?? '').split('?', 1);
  const error = path === '/health/ready' ? notReadyError : UNAVAILABLE;
  const [status, headers, body] =
    path === '/health/live' ? [200, {}, { status: 'ok' }] : [error.status, error.headers, error.toBody()];
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': readRequestId(request),
    ...headers,
  });
  response.end(JSON.stringify(body));
}
