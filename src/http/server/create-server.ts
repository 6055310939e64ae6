import { readFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  IncomingMessage,
  METHODS,
  RequestListener,
  Server,
  ServerResponse,
} from 'node:http';
import { createSecureServer, Http2ServerRequest, Http2ServerResponse, ServerHttp2Session } from 'node:http2';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

import { Config } from '../../config/config.js';
import { ApiError } from '../errors/api-error.js';
import { BAD_REQUEST, EXPECTATION_FAILED, HEADERS_TOO_LARGE } from '../errors/http.errors.js';
import { CLIENT_GONE } from '../exchange.js';
import { connectionBound } from './connection-bound.js';
import { Connections, responsesOn } from './connections.js';
import { ANNOUNCED, areHeadersTooLarge, limitStream, MAX_HEADER_FIELDS } from './http2-requests.js';
import { limitSession } from './http2-sessions.js';
import { PiecewiseResponse } from './piecewise-response.js';
import { RawErrors } from './raw-errors.js';
import { LIMITS } from './server-options.js';

/** The parts of a server. */
export interface ServerParts {
  readonly connections: Connections;
  readonly rawErrors: RawErrors;
  /** Whether a request goes on; where not, it has been answered. Asked before anything is spent on a request. */
  readonly admit: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/**
 * Creates the server: HTTP/1.1 or, with a certificate, HTTPS with HTTP/2. Every connection and request is known to
 * `connections`; clients that are too slow, in sending or in reading, are cut.
 *
 * @param listener takes the requests that are admitted
 */
export function createServer(
  { tls, database }: Pick<Config, 'tls' | 'database'>,
  { connections, rawErrors, admit }: ServerParts,
  listener: RequestListener,
): Server {
  const onRequest: RequestListener = (request, response) => {
    connections.begin(request, response);
    // A client that has reset its connection has no address any more, and nobody to be answered.
    if (request.socket.remoteAddress === undefined) dropUnread(response);
    else if (admit(request, response)) listener(request, response);
  };
  const server = tls
    ? secureServer(tls, { connections, rawErrors }, onRequest)
    : plainServer(connections, onRequest);
  // An `Expect` other than `100-continue` (RFC 9110 §10.1.1), which `node:http` would refuse with no body.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    connections.begin(request, response);
    response.shouldKeepAlive = false;
    rawErrors.refuse(request, response, new ApiError(EXPECTATION_FAILED));
  });
  server.on('connect', (request: IncomingMessage, opened: Socket | ServerResponse) => {
    if (!(opened instanceof Socket)) connections.begin(request, opened);
    refuseTunnel(rawErrors, request, opened);
  });
  // By default `node:http` leaves out all headers after 2,000, preconditions too. Their size is bounded instead.
  server.maxHeadersCount = 0;
  server.setTimeout(LIMITS.unreadTimeoutMs, cutIfUnread);
  server.on('listening', () => {
    server.maxConnections = connectionBound(database.poolSize + RESERVED_DESCRIPTORS);
  });
  return server;
}

/** Answers CONNECT, where `node:http` would close the connection without a word, and HTTP/2 would send no body. */
function refuseTunnel(rawErrors: RawErrors, request: IncomingMessage, opened: Socket | ServerResponse): void {
  const error = new ApiError(BAD_REQUEST, 'CONNECT is not served.');
  if (!(opened instanceof Socket)) {
    rawErrors.refuse(request, opened, error);
    return;
  }
  // From here on the connection is not the server's any more.
  opened.on('error', () => opened.destroy());
  opened.resume();
  rawErrors.answerClientError(error, opened, request);
}

function dropUnread(response: ServerResponse): void {
  response.statusCode = CLIENT_GONE;
  response.destroy();
}

/** Redis, name servers, the files of the docs. */
const RESERVED_DESCRIPTORS = 32;

const TIMEOUTS = {
  headersTimeout: LIMITS.headersTimeoutMs,
  requestTimeout: LIMITS.requestTimeoutMs,
  // How often timeouts are looked for.
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: LIMITS.keepAliveTimeoutMs,
};

const LIMITED = {
  ...TIMEOUTS,
  maxHeaderSize: LIMITS.headerBytes,
  // A missing Host is answered by a hook, in the envelope of every error.
  requireHostHeader: false,
};

/** Its types have no room for classes that add to `ServerResponse`. */
const HTTP2_RESPONSE = PiecewiseResponse as unknown as typeof Http2ServerResponse;

function plainServer(connections: Connections, onRequest: RequestListener): Server {
  const server = createHttpServer({ ...LIMITED }, onRequest);
  server.on('connection', (socket) => {
    connections.open(socket);
  });
  return server;
}

function secureServer(
  { certFile, keyFile }: { readonly certFile: string; readonly keyFile: string },
  { connections, rawErrors }: Pick<ServerParts, 'connections' | 'rawErrors'>,
  onRequest: RequestListener,
): Server {
  const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  const server = createSecureServer({
    ...LIMITED,
    ...pair,
    allowHTTP1: true,
    Http2ServerResponse: HTTP2_RESPONSE,
    // A connection that opens no TLS sends no headers either.
    handshakeTimeout: LIMITS.headersTimeoutMs,
    settings: ANNOUNCED,
    maxHeaderListPairs: MAX_HEADER_FIELDS,
  });
  // The options of an HTTP/2 server do not reach its HTTP/1.1 connections.
  Object.assign(server, TIMEOUTS);
  server.on('request', (request, response) => {
    // Of HTTP/2 or HTTP/1.1: both have what the listener uses, in types that do not overlap.
    const exchange: [IncomingMessage, ServerResponse] = [request as never, response as never];
    if (request instanceof Http2ServerRequest) {
      limitStream(request, response as PiecewiseResponse, connections.arriving);
      const fault = faultOf(request);
      if (fault) {
        connections.begin(...exchange);
        rawErrors.refuse(...exchange, fault);
        return;
      }
    }
    onRequest(...exchange);
  });
  // Neither comes with `request`.
  for (const event of ['connect', 'checkExpectation'])
    server.on(event, (request, response) => {
      if (request instanceof Http2ServerRequest)
        limitStream(request, response as PiecewiseResponse, connections.arriving);
    });
  server.on('connection', (socket: Socket) => {
    connections.openRaw(socket);
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    connections.openTls(socket);
    if (socket.alpnProtocol !== 'h2') connections.open(socket);
  });
  server.on('session', (session) => {
    limitSession(session, connections.openSession(session));
  });
  return server as unknown as Server;
}

/** A fault that the parser refuses over HTTP/1.1. HTTP/2 has no such check. */
function faultOf(request: Http2ServerRequest): ApiError | undefined {
  if (areHeadersTooLarge(request)) return new ApiError(HEADERS_TOO_LARGE);
  return KNOWN_METHODS.has(request.method) ? undefined : new ApiError(BAD_REQUEST, 'The method is unknown.');
}

const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS);

/** Nothing moved on a connection for a while: it is cut where it is idle, or where its client does not read. */
function cutIfUnread(socket: Socket | ServerHttp2Session): void {
  // A session has a timeout of its own.
  if (!(socket instanceof Socket)) return;
  const [first] = responsesOn(socket);
  if (!first) {
    // Before a request it is the time for headers that counts.
    if ((socket.timeout ?? 0) > LIMITS.unreadTimeoutMs) socket.destroy();
    return;
  }
  const isBeingMade = !first.writableEnded && socket.writableLength === 0;
  if (!isBeingMade) socket.destroy();
}
