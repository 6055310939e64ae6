import { IncomingMessage, Server, ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';

import { ApiError } from './errors/api-error.js';
import {
  BAD_REQUEST,
  EXPECTATION_FAILED,
  HEADERS_TOO_LARGE,
  REQUEST_TIMEOUT,
  URI_TOO_LONG,
} from './errors/http.errors.js';
import { LIMITS } from './server-options.js';

/** As `node:http` gives it with `clientError`; Fastify's own type has its buffer in the form of JSON. */
interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

type AnsweringSocket = Socket & { readonly _httpMessage?: ServerResponse };

/** How long a client may take to read its answer and to close, before the connection is cut. */
const LINGER_MS = 1_000;

/** Whether what overflowed was the request line: no line ends within the first bytes that were sent. */
function isUrlTooLong(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet) || !/^[A-Z]+ /.test(packet.toString('latin1', 0, 16))) return false;
  const lineEnd = packet.indexOf('\r\n');
  return lineEnd < 0 || lineEnd > LIMITS.urlBytes;
}

function errorFor(error: ClientError): ApiError {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError(isUrlTooLong(error.rawPacket) ? URI_TOO_LONG : HEADERS_TOO_LARGE);
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError(
      REQUEST_TIMEOUT,
      `The request did not arrive within ${LIMITS.requestTimeoutMs / 1000} seconds.`,
    );
  }
  return new ApiError(BAD_REQUEST);
}

const answered = new WeakSet<Socket>();

/**
 * Answers what the HTTP parser refuses, in the envelope of every other error, and closes the connection. Requests
 * that came whole before it on the same connection are answered first (RFC 9112 §9.3.2).
 */
export function answerClientError(error: ClientError, socket: Socket): void {
  // The parser complains of each further packet.
  if (answered.has(socket)) return;
  const pending = (socket as AnsweringSocket)._httpMessage;
  if (pending?.req.complete && socket.writable) {
    pending.once('close', () => {
      answerClientError(error, socket);
    });
    return;
  }
  if (error.code === 'ECONNRESET' || !socket.writable || pending?.headersSent) {
    socket.destroy();
    return;
  }
  answered.add(socket);
  const { status, body } = rendered(errorFor(error));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\ncache-control: no-store\r\nconnection: close\r\n\r\n${body}`,
  );
  // Closed at once, with bytes that were not read, it would be reset, and the answer lost (RFC 9112 §9.6).
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}

/** Answers an `Expect` other than `100-continue` (RFC 9110 §10.1.1), which `node:http` would refuse with no body. */
export function answerUnknownExpectations(server: Server): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { status, body } = rendered(new ApiError(EXPECTATION_FAILED));
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      connection: 'close',
    });
    response.end(body);
  });
}

function rendered(error: ApiError): { status: number; body: string } {
  return { status: error.status, body: JSON.stringify(error.toBody()) };
}
