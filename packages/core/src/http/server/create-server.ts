import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, IncomingMessage, RequestListener, Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { Socket } from 'node:net';

import { Config } from '../../config/config.js';
import { ApiError } from '../errors/api-error.js';
import { HttpErrors } from '../errors/http.errors.js';
import { CLIENT_GONE } from '../request-timing.js';
import { Connections, LIMITS, responsesOn } from './connections.js';
import { ParserErrorResponder } from './parser-error-responder.js';

export interface ServerParts {
  readonly connections: Connections;
  readonly parserErrors: ParserErrorResponder;
}

const SERVER_OPTIONS = {
  headersTimeout: LIMITS.headersTimeoutMs,
  requestTimeout: LIMITS.requestTimeoutMs,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: LIMITS.keepAliveTimeoutMs,
  maxHeaderSize: LIMITS.headerBytes,
  // A missing Host is answered by a hook, in the envelope of every error.
  requireHostHeader: false,
};

export function createServer(
  { tls }: Pick<Config, 'tls'>,
  { connections, parserErrors }: ServerParts,
  listener: RequestListener,
): Server {
  const onRequest: RequestListener = (request, response) => {
    connections.begin(request, response);
    // A client that has reset its connection has no address any more, and nobody to be answered.
    if (request.socket.remoteAddress === undefined) {
      response.statusCode = CLIENT_GONE;
      response.destroy();
    } else listener(request, response);
  };
  const server = tls
    ? createHttpsServer(tlsOptions(tls), onRequest)
    : createHttpServer(SERVER_OPTIONS, onRequest);
  server.on('connection', (socket: Socket) => {
    connections.open(socket);
  });
  // A hook refuses the `Expect`, in the envelope of every error.
  server.on('checkExpectation', onRequest);
  // `node:http` would ask for the body at once, whoever sends it; here it is asked for when it is read.
  server.on('checkContinue', onRequest);
  // `node:http` would close the connection without a word.
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    socket.resume();
    parserErrors.answerClientError(
      new ApiError(HttpErrors.BAD_REQUEST, 'CONNECT is not served.'),
      socket,
      request,
    );
  });
  // By default `node:http` leaves out all headers after 2,000, preconditions too. Their size is bounded instead.
  server.maxHeadersCount = 0;
  server.setTimeout(LIMITS.unreadTimeoutMs, destroyIfStalled);
  return server;
}

const tlsOptions = ({ certFile, keyFile }: { readonly certFile: string; readonly keyFile: string }) => ({
  ...SERVER_OPTIONS,
  cert: readFileSync(certFile),
  key: readFileSync(keyFile),
  // A connection that opens no TLS sends no headers either.
  handshakeTimeout: LIMITS.headersTimeoutMs,
});

/** Cuts a connection on which nothing moves, if it is idle or its client does not read: not while a response is made. */
function destroyIfStalled(socket: Socket): void {
  const [first] = responsesOn(socket);
  if (!first || first.writableEnded || socket.writableLength > 0) socket.destroy();
}
