import { randomUUID } from 'node:crypto';
import { IncomingMessage, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';

import { RateLimitConfig } from '../../config/config.js';
import { ApiError } from '../errors/api-error.js';
import { HttpErrors } from '../errors/http.errors.js';
import { readRequestId } from '../request-id.js';
import { RequestLog } from '../logging/request-log.js';
import { fullLimitHeaders } from '../rate-limit/rate-limit.js';
import { RequestMetrics } from '../request-metrics.js';
import { isAnsweredEarly, LIMITS, responsesOn } from './connections.js';

/** As `node:http` gives it with `clientError`; Fastify's own type has its buffer in the form of JSON. */
interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

/** How long a client may take to read its answer and to close, before the connection is cut. */
const LINGER_MS = 1_000;

/** Answers, in the envelope and with the headers that matter to clients, what Fastify does not see. */
export class ParserErrorResponder {
  private readonly answered = new WeakSet<Socket>();

  constructor(
    private readonly rateLimit: RateLimitConfig,
    private readonly log: RequestLog,
    private readonly metrics?: RequestMetrics,
  ) {}

  /** Answers what the HTTP parser refuses, after whole requests before it (RFC 9112 §9.3.2), and closes the connection. */
  readonly answerClientError = (error: ClientError, socket: Socket, request?: IncomingMessage): void => {
    // The parser complains of each further packet.
    if (this.answered.has(socket)) return;
    const [pending] = responsesOn(socket);
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
    // A request whose headers were read has a line of its own.
    if (!pending) {
      this.log.logRejected(apiError.status, id, request?.method);
      this.metrics?.countRejected(apiError.status);
    }
    this.metrics?.countError(apiError.type);
    // Closed at once, with bytes that were not read, it would be reset, and the answer lost (RFC 9112 §9.6).
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

/** Whether the request line overflowed: no line ends within the first bytes that were sent. */
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
