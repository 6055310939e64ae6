import { once } from 'node:events';
import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export const LIMITS = {
  bodyBytes: 1024 * 1024,
  /** The limit for routes that need no credentials, such as a login. */
  publicBodyBytes: 16 * 1024,
  urlBytes: 8 * 1024,
  headerBytes: 16 * 1024,
  /**
   * The time for headers and body together. `node:http` checks this limit every second, so a slow client gets 408
   * within 10 seconds.
   */
  requestTimeoutMs: 8_500,
  headersTimeoutMs: 8_000,
  keepAliveTimeoutMs: 72_000,
  /**
   * A client that reads nothing of its response for this long is disconnected. Longer than `requestTimeoutMs`, so that
   * a slow request gets its 408 first.
   */
  unreadTimeoutMs: 10_000,
} as const;

interface ConnectionState {
  /** The unfinished responses, in the order of their requests. There are several if requests are pipelined. */
  readonly responses: ServerResponse[];
  latest: IncomingMessage;
  /** The response after which the connection closes. */
  last?: ServerResponse;
}

const connectionStates = new WeakMap<Socket, ConnectionState>();

export const responsesOn = (socket: Socket): readonly ServerResponse[] =>
  connectionStates.get(socket)?.responses ?? [];

/** Whether the latest request on a connection was answered before the whole body of the request arrived. */
export const isAnsweredEarly = (socket: Socket): boolean =>
  responsesOn(socket).length === 0 && connectionStates.get(socket)?.latest.complete === false;

/**
 * Tracks the connections of a server and the unfinished requests on them. If a client disconnects, all its requests
 * end, including pipelined ones.
 */
export class Connections {
  readonly sockets = new Set<Socket>();
  private readonly states = new Set<ConnectionState>();
  requestCount = 0;
  private isClosing = false;

  /** @param onEnd called once for each request, when its response ends or its client disconnects */
  constructor(private readonly onEnd: (response: ServerResponse) => void) {}

  open(socket: Socket): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    const onConnection = this.findState(request);
    onConnection.responses.push(response);
    onConnection.latest = request;
    this.requestCount++;
    if (this.isClosing) closeAfter(response, onConnection);
    response.once('close', () => {
      this.end(response);
    });
  }

  /** Closes each connection after its last response, which has `Connection: close` (RFC 9112 §9.6). */
  close(): void {
    this.isClosing = true;
    for (const onConnection of this.states) {
      const last = onConnection.responses.at(-1);
      if (last) closeAfter(last, onConnection);
    }
  }

  private findState(request: IncomingMessage): ConnectionState {
    const { socket } = request;
    const known = connectionStates.get(socket);
    if (known) return known;
    const begun: ConnectionState = { responses: [], latest: request };
    connectionStates.set(socket, begun);
    this.states.add(begun);
    socket.once('close', () => {
      this.states.delete(begun);
      // `node:http` emits no event for pipelined responses queued behind the current one.
      for (const response of [...begun.responses]) this.end(response);
    });
    return begun;
  }

  private end(response: ServerResponse): void {
    const { responses } = this.findState(response.req);
    const place = responses.indexOf(response);
    if (place < 0) return;
    responses.splice(place, 1);
    this.requestCount--;
    this.onEnd(response);
  }
}

/** Makes a connection close after this response, and no longer after an earlier one. */
function closeAfter(response: ServerResponse, onConnection: ConnectionState): void {
  if (onConnection.last) onConnection.last.shouldKeepAlive = true;
  onConnection.last = response;
  response.shouldKeepAlive = false;
}

/**
 * How long idle connections stay open during the shutdown. A client that does not know of the shutdown yet may already
 * have sent a request.
 */
const IDLE_MS = 1_000;
/** How long a request may take to arrive during the shutdown. A slower client gets 408 before the shutdown ends. */
const ARRIVAL_MS = 2_000;
/** How often `drain()` looks for idle connections. */
const LOOK_MS = 100;

/**
 * Stops accepting connections, and lets running requests finish. Closes idle connections after a second, and cuts all
 * remaining connections after `withinMs`.
 */
export async function drain(server: Server, connections: Connections, withinMs: number): Promise<void> {
  const closed = once(server, 'close');
  // `close()` of `node:http` would close idle connections at once, even if a request is on its way.
  NetServer.prototype.close.call(server);
  connections.close();
  server.headersTimeout = ARRIVAL_MS;
  server.requestTimeout = ARRIVAL_MS;
  const idleAt = performance.now() + IDLE_MS;
  const looking = setInterval(() => {
    if (performance.now() > idleAt) server.closeIdleConnections();
  }, LOOK_MS);
  await Promise.race([closed, sleep(withinMs, undefined, { ref: false })]);
  clearInterval(looking);
  // `closeAllConnections()` would leave WebSockets open, and connections whose TLS handshake is not complete.
  for (const socket of connections.sockets) socket.destroy();
}
