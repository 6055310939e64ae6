import { createServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

import { ConfigError } from '../../config/read-config.js';

const PATH = '/metrics';
/** More scrapers than anybody has. */
const MAX_CONNECTIONS = 32;
const KEEP_ALIVE_MS = 75_000;

/** How long a scraper may take, in milliseconds: one that hangs must not keep others out. */
export interface ScrapeTimeouts {
  /** From connecting, or the end of the previous answer, to the end of the request. */
  readonly requestMs: number;
  /** From the request to the end of its answer. */
  readonly answerMs: number;
  /** How often they are looked at. */
  readonly checkMs: number;
}

const TIMEOUTS: ScrapeTimeouts = { requestMs: 5_000, answerMs: 15_000, checkMs: 1_000 };

/** The metrics that are served: this process's, or those of several. */
export interface MetricsSource {
  readonly contentType: string;
  text(): Promise<string>;
}

/** Serves metrics to Prometheus, on a port of its own: what clients of the API cannot reach they cannot read. */
export class MetricsServer {
  private readonly server: Server;

  constructor(
    private readonly source: MetricsSource,
    { requestMs, answerMs, checkMs }: ScrapeTimeouts = TIMEOUTS,
  ) {
    this.server = createServer(
      {
        requestTimeout: requestMs,
        headersTimeout: requestMs,
        keepAliveTimeout: KEEP_ALIVE_MS,
        connectionsCheckingInterval: checkMs,
      },
      (request, response) => {
        const timer = setTimeout(() => request.socket.destroy(), answerMs);
        response.once('close', () => {
          clearTimeout(timer);
        });
        this.answer(request, response).catch((error: unknown) => {
          // Prometheus shows it beside the target.
          if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
          response.end(`The metrics could not be read: ${String(error)}\n`);
        });
      },
    );
    this.server.maxConnections = MAX_CONNECTIONS;
    // Where all are taken, those that nothing is asked on make room for the next scrape.
    this.server.on('drop', () => {
      this.server.closeIdleConnections();
    });
  }

  /** @returns the address that Prometheus is to read. @throws ConfigError where the port cannot be had */
  async listen(port: number, host: string): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', (error: NodeJS.ErrnoException) => {
        reject(new ConfigError([explain(error, port, host)]));
      });
      this.server.listen(port, host, resolve);
    });
    const { address, family, port: taken } = this.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}${PATH}`;
  }

  /** Closes the port; a scrape that is under way is cut. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = promisify(this.server.close.bind(this.server))();
    this.server.closeAllConnections();
    await closed;
  }

  private async answer({ method, url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url.split('?', 1)[0] !== PATH) {
      response.writeHead(404).end();
    } else if (method !== 'GET' && method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
    } else {
      const text = await this.source.text();
      const headers = { 'content-type': this.source.contentType, 'content-length': Buffer.byteLength(text) };
      response.writeHead(200, headers).end(method === 'HEAD' ? undefined : text);
    }
  }
}

function explain({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  if (code === 'EADDRINUSE')
    return `METRICS_PORT: port ${port} on ${host} is in use: stop the program that has it, or take another one (0 takes a free one)`;
  if (code === 'EACCES')
    return `METRICS_PORT: port ${port} on ${host} is not open to this user: take 1024 or more`;
  return `METRICS_PORT: the metrics cannot be served on ${host}:${port} (${message})`;
}
