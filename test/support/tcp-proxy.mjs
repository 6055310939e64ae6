import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A connection to a server that can be cut, frozen and restored, to test the clients of the server. */
export class TcpProxy {
  #target;
  #server;
  #pairs = new Set();
  #forgotten = new Set();
  #isFrozen = false;
  /** Observes what clients send: `(data, cut) => void`. `cut()` ends this connection. */
  watch;
  port = 0;

  /** Starts a proxy for the server of a URL. */
  static async to(url) {
    const proxy = new TcpProxy();
    proxy.follow(url);
    await proxy.accept();
    return proxy;
  }

  /** The URL of the server through the proxy. */
  urlOf(url) {
    return Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(this.port) }).href;
  }

  /** Accepts connections on the same port as before. */
  async accept() {
    if (this.#server?.listening) return;
    this.#server = createServer((client) => this.#join(client));
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = this.#server.address().port;
  }

  /**
   * Leads to another server from now on, like a host name that follows the primary. Open connections are cut.
   */
  follow(url) {
    const { hostname, port } = new URL(url);
    this.#target = { host: hostname, port: Number(port || 5432) };
    this.cut();
  }

  /** Cuts all connections. New ones are accepted. */
  cut() {
    for (const pair of [...this.#pairs, ...this.#forgotten]) end(pair);
    this.#forgotten.clear();
  }

  /** Cuts any one connection. */
  cutOne(random) {
    if (this.#pairs.size > 0) end(random.pick([...this.#pairs]));
  }

  /** Cuts all connections and refuses new ones. */
  async refuse() {
    if (!this.#server?.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  /** Keeps connections open and accepts new ones, but passes nothing on. */
  freeze() {
    this.#isFrozen = true;
    for (const { client, server } of this.#pairs) [client, server].map((socket) => socket.pause());
  }

  /** Passes on what was held back. */
  thaw() {
    this.#isFrozen = false;
    for (const { client, server } of this.#pairs) [client, server].map((socket) => socket.resume());
  }

  /**
   * Drops everything on the existing connections silently, like a firewall that has forgotten them. New
   * connections work.
   */
  forget() {
    for (const pair of [...this.#pairs]) {
      pair.isForgotten = true;
      this.#pairs.delete(pair);
      this.#forgotten.add(pair);
      // The client does not notice this, but the server must not keep a connection that nobody can use any more.
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
      // Passes the data on before the cut, so that the server processes it but its response is lost.
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
