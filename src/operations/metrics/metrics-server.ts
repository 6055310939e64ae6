import { createServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

import { ConfigError } from '../../config/read-config.js';

const PATH = '/metrics';
/** More scrapers than anybody has. */
const MAX_CONNECTIONS = 32;
const TIMEOUT_MS = 10_000;

/** What is served: this process's metrics, or those of several. */
export interface MetricsSource {
  readonly contentType: string;
  text(): Promise<string>;
}

/** Serves metrics to Prometheus, on a port of its own: what clients of the API cannot reach they cannot read. */
export class MetricsServer {
  private readonly server: Server;

  constructor(private readonly source: MetricsSource) {
    this.server = createServer(
      { requestTimeout: TIMEOUT_MS, keepAliveTimeout: 75_000 },
      (request, response) => {
        this.answer(request, response).catch((error: unknown) => {
          // Prometheus shows it beside the target.
          if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
          response.end(`The metrics could not be read: ${String(error)}\n`);
        });
      },
    );
    this.server.maxConnections = MAX_CONNECTIONS;
    this.server.setTimeout(TIMEOUT_MS * 12);
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
