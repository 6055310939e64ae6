import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A way to a server that can be cut, held up and mended: for tests of what its clients do then. */
export class TcpProxy {
  #target;
  #server;
  #pairs = new Set();
  #forgotten = new Set();
  #isFrozen = false;
  /** Sees what clients send: `(data, cut) => void`; `cut()` ends this connection. */
  watch;
  port = 0;

  /** A proxy of the server of a URL. */
  static async to(url) {
    const proxy = new TcpProxy();
    proxy.follow(url);
    await proxy.accept();
    return proxy;
  }

  /** The URL by which the server is reached over the proxy. */
  urlOf(url) {
    return Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(this.port) }).href;
  }

  /** Takes connections, on the same port as before. */
  async accept() {
    if (this.#server?.listening) return;
    this.#server = createServer((client) => this.#join(client));
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = this.#server.address().port;
  }

  /** Leads to another server from now on, as a host name that follows the primary; open connections are cut. */
  follow(url) {
    const { hostname, port } = new URL(url);
    this.#target = { host: hostname, port: Number(port || 5432) };
    this.cut();
  }

  /** Cuts all connections; new ones are taken. */
  cut() {
    for (const pair of [...this.#pairs, ...this.#forgotten]) end(pair);
    this.#forgotten.clear();
  }

  /** Cuts one connection, whichever. */
  cutOne(random) {
    if (this.#pairs.size > 0) end(random.pick([...this.#pairs]));
  }

  /** Cuts all connections, and refuses new ones. */
  async refuse() {
    if (!this.#server?.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  /** Connections stay, and new ones are taken, but nothing comes through any more. */
  freeze() {
    this.#isFrozen = true;
    for (const { client, server } of this.#pairs) [client, server].map((socket) => socket.pause());
  }

  /** What was held up goes on its way. */
  thaw() {
    this.#isFrozen = false;
    for (const { client, server } of this.#pairs) [client, server].map((socket) => socket.resume());
  }

  /**
   * The connections there are lead nowhere any more, without a word to either side, as a firewall that forgot them
   * would have it; new ones work.
   */
  forget() {
    for (const pair of [...this.#pairs]) {
      pair.isForgotten = true;
      this.#pairs.delete(pair);
      this.#forgotten.add(pair);
      // Nobody tells the client; the server must not keep what can never be asked for again.
      pair.server.destroy();
    }
  }

  #join(client) {
    const server = connect(this.#target);
    const pair = { client, server, isForgotten: false };
    this.#pairs.add(pair);
    this.#pipe(pair, client, server, (data) => this.watch?.(data, () => end(pair)));
    this.#pipe(pair, server, client);
    if (this.#isFrozen) for (const socket of [client, server]) socket.pause();
  }

  #pipe(pair, from, to, see = () => undefined) {
    from.on('data', (data) => {
      // First on its way, then cut: the server works on it, and its answer comes no more.
      if (!pair.isForgotten && to.writable) to.write(data);
      see(data);
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      if (pair.isForgotten) return;
      this.#pairs.delete(pair);
      end(pair);
    });
  }
}

function end({ client, server }) {
  client.destroy();
  server.destroy();
}
