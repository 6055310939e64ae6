import { once } from 'node:events';
import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export const LIMITS = {
  bodyBytes: 1024 * 1024,
  /** Where no credentials are needed: a login, a registration. */
  publicBodyBytes: 16 * 1024,
  urlBytes: 8 * 1024,
  headerBytes: 16 * 1024,
  /** Whole request, headers and body; seen within a second of passing, so a slow one gets its 408 within 10 s. */
  requestTimeoutMs: 8_500,
  headersTimeoutMs: 8_000,
  keepAliveTimeoutMs: 72_000,
  /** A client that reads nothing of its answer for so long is cut. Longer than a request may take to arrive. */
  unreadTimeoutMs: 10_000,
} as const;

interface ConnectionState {
  /** Responses in the order of their requests: more than one where requests were pipelined. */
  readonly responses: ServerResponse[];
  latest: IncomingMessage;
  /** The response that the connection closes after. */
  last?: ServerResponse;
}

const connectionStates = new WeakMap<Socket, ConnectionState>();

export const responsesOn = (socket: Socket): readonly ServerResponse[] =>
  connectionStates.get(socket)?.responses ?? [];

/** Whether the latest request on a connection was answered before all of its body came. */
export const isAnsweredEarly = (socket: Socket): boolean =>
  responsesOn(socket).length === 0 && connectionStates.get(socket)?.latest.complete === false;

/** The connections of a server and the requests under way on them, pipelined ones whose client is gone too. */
export class Connections {
  readonly sockets = new Set<Socket>();
  private readonly states = new Set<ConnectionState>();
  requestCount = 0;
  private isClosing = false;

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

  /** From now on the last response on each connection says that it is the last (`Connection: close`, RFC 9112 §9.6). */
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
      // Those behind the one that was being answered are told nothing by `node:http`.
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

/** Makes a response the last of its connection; one before it that was to be the last no longer is. */
function closeAfter(response: ServerResponse, onConnection: ConnectionState): void {
  if (onConnection.last) onConnection.last.shouldKeepAlive = true;
  onConnection.last = response;
  response.shouldKeepAlive = false;
}

/** How long an idle connection stays for what its client had sent when it could not know. */
const IDLE_MS = 1_000;
/** How long a request may take to arrive: its client gets a 408 before the time is up. */
const ARRIVAL_MS = 2_000;
const LOOK_MS = 100;

/** Stops accepting, answers what was sent, closes idle connections after a moment, and cuts those left in the end. */
export async function drain(server: Server, connections: Connections, withinMs: number): Promise<void> {
  const closed = once(server, 'close');
  // `close()` of `node:http` closes idle connections at once, whatever is on its way to them.
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
  // Those too that `closeAllConnections()` leaves: WebSockets, and those on which no TLS was opened.
  for (const socket of connections.sockets) socket.destroy();
}
