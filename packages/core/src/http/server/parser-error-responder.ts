import { randomUUID } from 'node:crypto';
import { IncomingMessage, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';

import { RateLimitConfig } from '../../config/config.js';
import { ApiError } from '../errors/api-error.js';
import { HttpErrors } from '../errors/http.errors.js';
import { readRequestId } from '../request-id.js';
import { RequestLog } from '../logging/request-log.js';
import { fullLimitHeaders } from '../rate-limit/limit-headers.js';
import { RequestMetrics } from '../request-metrics.js';
import { isAnsweredEarly, LIMITS, responsesOn } from './connections.js';

/** The error of a `clientError` event. Fastify's own type declares `rawPacket` as JSON, although it is a buffer. */
interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

/** How long a client may take to read the response and close the connection. Then the connection is cut. */
const LINGER_MS = 1_000;

/** Responds to requests that never reach Fastify, with the JSON envelope of errors and the usual headers. */
export class ParserErrorResponder {
  private readonly answered = new WeakSet<Socket>();

  constructor(
    private readonly rateLimit: RateLimitConfig,
    private readonly log: RequestLog,
    private readonly metrics?: RequestMetrics,
  ) {}

  /**
   * Responds to a request that the HTTP parser rejects, and closes the connection. Sends the responses to earlier
   * requests on the connection first (RFC 9112 §9.3.2).
   */
  readonly answerClientError = (error: ClientError, socket: Socket, request?: IncomingMessage): void => {
    // After an error, the parser reports another one for each packet that follows.
    if (this.answered.has(socket)) return;
    const [pending] = responsesOn(socket);
    // An earlier request is complete, but has no response yet.
    if (pending?.req.complete && socket.writable) {
      pending.once('close', () => {
        this.answerClientError(error, socket, request);
      });
      return;
    }
    const isAnswered = pending?.headersSent === true || isAnsweredEarly(socket);
    const isGone = error.code === 'ECONNRESET' || error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT';
    if (isGone || !socket.writable || isAnswered) {
      socket.destroy();
      return;
    }
    this.answered.add(socket);
    const apiError = toParserError(error);
    const id = request ? readRequestId(request) : randomUUID();
    socket.end(this.formatResponse(apiError, id));
    // If the headers were read, the request is logged and counted when its response ends.
    if (!pending) {
      this.log.logRejected(apiError.status, id, socket.remoteAddress, request?.method);
      this.metrics?.countRejected(apiError.status);
    }
    this.metrics?.countError(apiError.type);
    // If the connection closed now, while bytes are unread, it would be reset, and the client would lose the response
    // (RFC 9112 §9.6).
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => {
      clearTimeout(timer);
    });
  };

  private formatResponse(error: ApiError, id: string): string {
    const body = JSON.stringify(error.toBody());
    const headers = {
      ...fullLimitHeaders(this.rateLimit),
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': id,
      'content-length': Buffer.byteLength(body),
      date: new Date().toUTCString(),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
  }
}

/** Whether the request line was too long: in the packet, the line has no end, or ends after the limit. */
function isUrlTooLong(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet) || !/^[A-Z]+ /.test(packet.toString('latin1', 0, 16))) return false;
  const lineEnd = packet.indexOf('\r\n');
  return lineEnd < 0 || lineEnd > LIMITS.urlBytes;
}

function toParserError(error: ClientError): ApiError {
  if (error instanceof ApiError) return error;
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return new ApiError(
      isUrlTooLong(error.rawPacket) ? HttpErrors.URI_TOO_LONG : HttpErrors.HEADERS_TOO_LARGE,
    );
  if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError(HttpErrors.BAD_REQUEST);
  const message = `The request did not arrive within ${LIMITS.requestTimeoutMs / 1000} seconds.`;
  return new ApiError(HttpErrors.REQUEST_TIMEOUT, message);
}
