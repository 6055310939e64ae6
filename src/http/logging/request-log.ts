import { types } from 'node:util';

import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Logger } from 'pino';

import { ApiError } from '../errors/api-error.js';

/** Who called, as far as the log may say. */
interface Caller {
  readonly userId: number | null;
  readonly scheme: string;
}

/** Logged in place of a status where the client went before it was sent one, as nginx does. */
const CLIENT_GONE = 499;

/** Says in the log what became of each request. Never a credential, a cookie, a query or a body. */
export class RequestLog {
  constructor(private readonly logger: Logger) {}

  /** One line for each request, also where the client went before the answer. */
  register(server: FastifyInstance): void {
    if (!this.logger.isLevelEnabled('info')) return;
    server.addHook('onRequest', (request, reply, done) => {
      reply.raw.once('close', () => {
        this.answered(request, reply);
      });
      done();
    });
  }

  /** What made a request fail with 5xx, with its stack, found again by the request's id. */
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

  private answered(request: FastifyRequest, reply: FastifyReply): void {
    const caller = (request as { principal?: Caller | null }).principal;
    this.logger.info({
      method: request.method,
      route: request.policy?.route ?? null,
      status: reply.raw.headersSent ? reply.statusCode : CLIENT_GONE,
      ms: Math.round(reply.elapsedTime * 100) / 100,
      requestId: request.id,
      caller: caller?.userId ?? null,
      scheme: caller?.scheme ?? null,
    });
  }
}
