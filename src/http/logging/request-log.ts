import { ServerResponse } from 'node:http';
import { types } from 'node:util';

import { FastifyReply, FastifyRequest } from 'fastify';
import { Logger } from 'pino';

import { ApiError } from '../errors/api-error.js';
import { Exchange, exchangeOf } from '../exchange.js';

/** Who called, as far as the log may say. */
interface Caller {
  readonly userId: number | null;
  readonly scheme: string;
}

/** Logged in place of a status where the client went before it was sent one, as nginx does. */
export const CLIENT_GONE = 499;

/** The status that a response was sent with, or `CLIENT_GONE`. */
export const sentStatus = (response: ServerResponse): number =>
  response.headersSent ? response.statusCode : CLIENT_GONE;

/** Says in the log what became of each request. Never a credential, a cookie, a query or a body. */
export class RequestLog {
  constructor(private readonly logger: Logger) {}

  /** Writes the line of a request: it was answered, or its client is gone. */
  ended(response: ServerResponse): void {
    if (!this.logger.isLevelEnabled('info')) return;
    const exchange = exchangeOf(response);
    const { reply, requestId } = exchange;
    const ms = elapsedMs(exchange);
    if (reply) this.answered(reply.request, reply, ms);
    else this.refused(response.statusCode, requestId, response.req.method, ms);
  }

  /** Writes the line of a request that was refused before Fastify saw it: its method is known where it was read. */
  refused(status: number, requestId: string | null, method: string | null = null, ms = 0): void {
    this.logger.info({ method, route: null, status, ms, requestId, caller: null, scheme: null });
  }

  /** Logs the error behind a 5xx with its stack, under the request's id. */
  failure(request: FastifyRequest, error: ApiError): void {
    const cause = types.isNativeError(error.cause) ? error.cause : error;
    const { name, message, stack } = cause;
    const code = (cause as { code?: unknown }).code;
    const report = {
      requestId: request.id,
      route: request.policy?.route ?? null,
      error: { name, message, code, stack },
    };
    if (error.status === 500) this.logger.error(report, error.message);
    else this.logger.warn(report, error.message);
  }

  private answered(request: FastifyRequest, reply: FastifyReply, ms: number): void {
    const caller = (request as { principal?: Caller | null }).principal;
    this.logger.info({
      method: request.method,
      route: request.policy?.route ?? null,
      status: sentStatus(reply.raw),
      ms,
      requestId: request.id,
      caller: caller?.userId ?? null,
      scheme: caller?.scheme ?? null,
    });
  }
}

/** Milliseconds since a request came in, to a hundredth. */
const elapsedMs = ({ startedAt }: Exchange): number =>
  Math.round((performance.now() - startedAt) * 100) / 100;
