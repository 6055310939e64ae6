import { createServer, Server } from 'node:http';
import { AddressInfo } from 'node:net';

import { Registry } from 'prom-client';

import { ConfigError } from '../../config/read-config.js';

const PATH = '/metrics';
/** A scraper that hangs must not keep others out. */
const TIMEOUTS = { requestTimeout: 5_000, headersTimeout: 5_000, keepAliveTimeout: 75_000 };

/** Serves metrics to Prometheus, on a port of its own: what clients of the API cannot reach they cannot read. */
export class MetricsServer {
  private readonly server: Server;

  /** @param read gives the metrics in Prometheus' text format */
  constructor(read: () => Promise<string>) {
    this.server = createServer(TIMEOUTS, ({ method, url = '' }, response) => {
      if (url.split('?', 1)[0] !== PATH) {
        response.writeHead(404).end();
      } else if (method !== 'GET' && method !== 'HEAD') {
        response.writeHead(405, { allow: 'GET, HEAD' }).end();
      } else {
        read().then(
          (text) => response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
          // Prometheus shows it beside the target.
          (error: unknown) =>
            response.writeHead(500).end(`The metrics could not be read: ${String(error)}\n`),
        );
      }
    });
  }

  /** @returns the address that Prometheus is to read. @throws ConfigError where the port cannot be had */
  async listen(port: number, host: string): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', ({ code, message }: NodeJS.ErrnoException) => {
        const reason =
          code === 'EADDRINUSE' ? 'is in use: set METRICS_PORT to another one' : `cannot be had: ${message}`;
        reject(new ConfigError([`METRICS_PORT: port ${port} on ${host} ${reason}`]));
      });
      this.server.listen(port, host, resolve);
    });
    const { address, family, port: taken } = this.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}${PATH}`;
  }

  /** Closes the port; a scrape that is under way is cut. */
  close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    return Promise.resolve();
  }
}
