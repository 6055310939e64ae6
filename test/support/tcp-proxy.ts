import { once } from 'node:events';
import { AddressInfo, connect, createServer, Server, Socket } from 'node:net';

/** A way to a server that can be cut, blocked and mended: for tests of what its clients do then. */
export class TcpProxy {
  private server: Server | undefined;
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private isFrozen = false;
  private port = 0;

  private constructor(private target: { readonly host: string; readonly port: number }) {}

  /** A proxy of the server of a URL. */
  static async to(url: string): Promise<TcpProxy> {
    const { hostname, port } = new URL(url);
    const proxy = new TcpProxy({ host: hostname, port: Number(port || 5432) });
    await proxy.accept();
    return proxy;
  }

  /** The URL by which the proxied one is reached over the proxy. */
  urlOf(url: string): string {
    return Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(this.port) }).href;
  }

  /** Takes connections, on the same port as before. */
  async accept(): Promise<void> {
    if (this.server?.listening) return;
    this.server = createServer((client) => this.join(client));
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Leads to another server from now on, as a host name that follows the primary; open connections are cut. */
  follow(url: string): void {
    const { hostname, port } = new URL(url);
    this.target = { host: hostname, port: Number(port || 5432) };
    this.cut();
  }

  /** Cuts all connections; new ones are taken. */
  cut(): void {
    for (const socket of [...this.pairs].flat()) socket.destroy();
  }

  /** Cuts all connections, and refuses new ones. */
  async refuse(): Promise<void> {
    const closed = new Promise((resolve) => this.server?.close(resolve));
    this.cut();
    await closed;
  }

  /** Connections stay, and new ones are taken, but nothing comes through any more. */
  freeze(): void {
    this.isFrozen = true;
    for (const socket of [...this.pairs].flat()) socket.pause();
  }

  /** The connections that are there stay and are silent, as when a router forgets them; new ones work. */
  forget(): void {
    for (const socket of [...this.pairs].flat()) socket.pause();
  }

  /** What was held up goes on its way. */
  thaw(): void {
    this.isFrozen = false;
    for (const socket of [...this.pairs].flat()) socket.resume();
  }

  private join(client: Socket): void {
    const server = connect(this.target);
    const pair = [client, server] as const;
    this.pairs.add(pair);
    for (const [from, to] of [pair, [server, client] as const]) {
      from.on('data', (data) => to.write(data));
      from.on('error', () => undefined);
      from.on('close', () => {
        to.destroy();
        this.pairs.delete(pair);
      });
      if (this.isFrozen) from.pause();
    }
  }
}
