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
  // A hook rejects a request without `Host`, so that the response has the JSON envelope of errors.
  requireHostHeader: false,
};

/** Creates the HTTP or HTTPS server with the limits of `LIMITS`. Every error that it sends has the JSON envelope. */
export function createServer(
  { tls }: Pick<Config, 'tls'>,
  { connections, parserErrors }: ServerParts,
  listener: RequestListener,
): Server {
  const onRequest: RequestListener = (request, response) => {
    connections.begin(request, response);
    // If the client has reset the connection, the socket has no address, and no response can be sent.
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
  // By default `node:http` rejects an unknown `Expect` itself. A hook does it with the JSON envelope of errors.
  server.on('checkExpectation', onRequest);
  // By default `node:http` sends 100 Continue at once. The service sends it only before it reads the body.
  server.on('checkContinue', onRequest);
  // By default `node:http` closes the connection of a CONNECT request without a response.
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    socket.resume();
    parserErrors.answerClientError(
      new ApiError(HttpErrors.BAD_REQUEST, 'The CONNECT method is not supported.'),
      socket,
      request,
    );
  });
  // By default `node:http` drops all headers after the 2,000th, even preconditions. `maxHeaderSize` limits the headers
  // instead.
  server.maxHeadersCount = 0;
  server.setTimeout(LIMITS.unreadTimeoutMs, destroyIfStalled);
  return server;
}

const tlsOptions = ({ certFile, keyFile }: { readonly certFile: string; readonly keyFile: string }) => ({
  ...SERVER_OPTIONS,
  cert: readFileSync(certFile),
  key: readFileSync(keyFile),
  // The TLS handshake may take as long as the headers.
  handshakeTimeout: LIMITS.headersTimeoutMs,
});

/**
 * Cuts a connection without traffic if it is idle, or if the client does not read the response. Keeps a connection for
 * which the service is still preparing the response.
 */
function destroyIfStalled(socket: Socket): void {
  const [first] = responsesOn(socket);
  if (!first || first.writableEnded || socket.writableLength > 0) socket.destroy();
}
