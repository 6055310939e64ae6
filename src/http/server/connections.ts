import { IncomingMessage, ServerResponse } from 'node:http';
import { ServerHttp2Session } from 'node:http2';
import { Socket } from 'node:net';

const RESPONSES = Symbol('responses under way');
const LATEST = Symbol('latest request');
const IS_LAST = Symbol('closes its connection');

type ClosingResponse = ServerResponse & { [IS_LAST]?: true };

/** A connection, with the responses that are under way on it: more than one where requests were pipelined. */
export interface Connection extends Socket {
  [RESPONSES]?: ServerResponse[];
  [LATEST]?: IncomingMessage;
}

/** A request of HTTP/2 whose body has not come yet. */
export interface Arriving {
  /** Changes with whatever comes of it. */
  readonly progress: string;
  /** Answers that it did not arrive in time, where its body is waited for. */
  readonly timeOut: () => void;
}

/**
 * Every connection of a server, and the requests that are under way on each, exactly: `node:http` tells neither of
 * pipelined requests whose client is gone, nor whether the answer of an idle connection has left.
 */
export class Connections {
  /** Open connections; with TLS, those whose handshake is done. */
  readonly sockets = new Set<Connection>();
  /** Connections that are to open TLS, by their peers. */
  readonly opening = new Map<string, Socket>();
  /** Sessions of HTTP/2, with their connections. */
  readonly sessions = new Map<ServerHttp2Session, Socket | undefined>();
  /** Requests of theirs. */
  readonly arriving = new Set<Arriving>();
  /** Requests that are not answered yet. */
  requests = 0;
  private readonly ending = new AbortController();
  private isClosing = false;
  /** One listener for all responses. */
  private readonly closed: (this: ServerResponse) => void;

  /** @param onEnd called once for each response: it was sent, or its client is gone */
  constructor(private readonly onEnd: (response: ServerResponse) => void) {
    const end = (response: ServerResponse): void => {
      this.end(response);
    };
    this.closed = function () {
      end(this);
    };
  }

  /** Aborted when connections are to end: what has no end of its own, as event streams and WebSockets, ends then. */
  get closing(): AbortSignal {
    return this.ending.signal;
  }

  /** A connection was opened on which TLS comes next. */
  openRaw(socket: Socket): void {
    const peer = peerOf(socket);
    this.opening.set(peer, socket);
    socket.once('close', () => {
      if (this.opening.get(peer) === socket) this.opening.delete(peer);
    });
  }

  /** Its TLS was opened. */
  openTls(socket: Socket): void {
    this.opening.delete(peerOf(socket));
  }

  /** A connection was opened. */
  open(socket: Connection): void {
    this.sockets.add(socket);
    socket[RESPONSES] = [];
    socket.once('close', () => {
      this.sockets.delete(socket);
      // Pipelined requests behind the one that was being answered.
      for (const response of [...responsesOn(socket)]) this.end(response);
    });
  }

  /** A session was opened; nobody has been told yet that its TLS was. @returns its connection */
  openSession(session: ServerHttp2Session): Socket | undefined {
    const socket = this.opening.get(peerOf(session.socket));
    this.sessions.set(session, socket);
    session.once('close', () => this.sessions.delete(session));
    if (this.isClosing) announceEnd(session);
    return socket;
  }

  /** A request came in. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    this.requests++;
    response.on('close', this.closed);
    if (request.httpVersionMajor >= 2) return;
    const responses = responsesOn(request.socket);
    if (this.isClosing) closeAfter(response, responses);
    responses.push(response);
    (request.socket as Connection)[LATEST] = request;
  }

  /**
   * From now on the last answer on each connection says that it is the last (`Connection: close`, RFC 9112 §9.6;
   * GOAWAY, RFC 9113 §6.8).
   */
  close(): void {
    this.isClosing = true;
    this.ending.abort();
    for (const socket of this.sockets) {
      const responses = responsesOn(socket);
      const last = responses.at(-1);
      if (last) closeAfter(last, responses);
    }
    for (const session of this.sessions.keys()) announceEnd(session);
  }

  private end(response: ServerResponse): void {
    const { req: request } = response;
    // A pipelined one whose connection closed before its turn came.
    if (request.httpVersionMajor < 2 && !remove(response, responsesOn(request.socket))) return;
    this.requests--;
    this.onEnd(response);
  }
}

const peerOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress} ${remotePort}`;

/**
 * The responses that are under way on a connection, in the order of their requests. An array: V8 makes a new table for
 * a set whenever its last member leaves, which is with each response here.
 */
export function responsesOn(socket: Connection): ServerResponse[] {
  return (socket[RESPONSES] ??= []);
}

/** @returns whether the response was under way */
function remove(response: ServerResponse, responses: ServerResponse[]): boolean {
  const index = responses.indexOf(response);
  if (index === -1) return false;
  responses.splice(index, 1);
  return true;
}

/** The latest request on a connection whose head was read. */
export const latestOn = (socket: Connection): IncomingMessage | undefined => socket[LATEST];

/** Whether the latest request on a connection was answered before all of its body came. */
export function isAnsweredEarly(socket: Connection): boolean {
  return responsesOn(socket).length === 0 && socket[LATEST]?.complete === false;
}

/** Makes a response the last of its connection; one before it that was to be the last no longer is. */
function closeAfter(response: ClosingResponse, responses: readonly ClosingResponse[]): void {
  for (const earlier of responses) if (earlier[IS_LAST]) earlier.shouldKeepAlive = true;
  response[IS_LAST] = true;
  response.shouldKeepAlive = false;
}

/**
 * Tells the client to open no further streams, and up to which one they are answered. Later ones, which it had sent
 * when it could not know, it may send again, for they are ignored. The notice that would let them in (a GOAWAY with the
 * greatest id, RFC 9113 §6.8) is not to be had of `node:http2`: it ignores them after any.
 */
function announceEnd(session: ServerHttp2Session): void {
  if (!session.destroyed && !session.closed) session.goaway();
}
