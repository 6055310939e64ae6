import { once } from 'node:events';
import { Agent, createServer, IncomingMessage, request, Server, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';

interface Backend {
  readonly port: number;
  readonly agent: Agent;
}

/**
 * A balancer as plain as they come: keep-alive connections to its backends, each request to the next of them. It tries
 * another backend only where one refused the connection: a request that was sent is never sent again.
 */
export class Balancer {
  /** Requests that got no answer. */
  lost = 0;
  private readonly backends: Backend[] = [];
  private turn = 0;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((incoming, outgoing) => {
      this.forward(incoming, outgoing);
    });
  }

  static async start(): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.server.listen(0, '127.0.0.1');
    await once(balancer.server, 'listening');
    return balancer;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  add(port: number): void {
    this.backends.push({ port, agent: new Agent({ keepAlive: true, maxSockets: 32 }) });
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
    for (const { agent } of this.backends) agent.destroy();
  }

  private forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const backend = this.backends[this.turn++ % this.backends.length];
    if (!backend) {
      this.lose(outgoing);
      return;
    }
    const { method, url, headers } = incoming;
    const { port, agent } = backend;
    const sent = request({ host: '127.0.0.1', port, agent, method, path: url, headers }, (answer) => {
      // The connection of the balancer is none of the client's.
      outgoing.writeHead(answer.statusCode ?? 502, { 'content-type': answer.headers['content-type'] });
      answer.pipe(outgoing);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNREFUSED') {
        this.lose(outgoing);
        return;
      }
      if (this.backends.includes(backend)) this.backends.splice(this.backends.indexOf(backend), 1);
      this.forward(incoming, outgoing);
    });
    sent.end();
  }

  private lose(outgoing: ServerResponse): void {
    this.lost++;
    outgoing.writeHead(502).end();
  }
}
