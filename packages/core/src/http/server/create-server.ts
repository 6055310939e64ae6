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
  // A hook rejects a missing Host, with the JSON envelope of errors.
  requireHostHeader: false,
};

/** Creates the HTTP or HTTPS server, with the limits of the service and the JSON envelope for every error. */
export function createServer(
  { tls }: Pick<Config, 'tls'>,
  { connections, parserErrors }: ServerParts,
  listener: RequestListener,
): Server {
  const onRequest: RequestListener = (request, response) => {
    connections.begin(request, response);
    // A client that has reset its connection has no address, and cannot get a response.
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
  // A hook rejects an unknown `Expect`, with the JSON envelope of errors.
  server.on('checkExpectation', onRequest);
  // `node:http` would send 100 Continue at once. The service sends it when it reads the body.
  server.on('checkContinue', onRequest);
  // `node:http` would close the connection without a response.
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    socket.resume();
    parserErrors.answerClientError(
      new ApiError(HttpErrors.BAD_REQUEST, 'The CONNECT method is not supported.'),
      socket,
      request,
    );
  });
  // By default `node:http` drops all headers after the 2,000th, even preconditions. `maxHeaderSize` limits them instead.
  server.maxHeadersCount = 0;
  server.setTimeout(LIMITS.unreadTimeoutMs, destroyIfStalled);
  return server;
}

const tlsOptions = ({ certFile, keyFile }: { readonly certFile: string; readonly keyFile: string }) => ({
  ...SERVER_OPTIONS,
  cert: readFileSync(certFile),
  key: readFileSync(keyFile),
  // As long as for headers.
  handshakeTimeout: LIMITS.headersTimeoutMs,
});

/** Cuts a stalled connection if it is idle or its client does not read. Keeps it while a response is being made. */
function destroyIfStalled(socket: Socket): void {
  const [first] = responsesOn(socket);
  if (!first || first.writableEnded || socket.writableLength > 0) socket.destroy();
}
