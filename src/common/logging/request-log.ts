import { FastifyInstance, FastifyRequest } from 'fastify';
import { Logger } from 'pino';

import { ApiError } from '#src/common/errors/api-error.js';

/** Who called, as far as the log may say. */
interface Caller {
  readonly userId: number | null;
  readonly scheme: string;
}

/** Says in the log what became of each request. Never a credential, a cookie, a query or a body. */
export class RequestLog {
  constructor(private readonly logger: Logger) {}

  /** One line for each request that was answered. */
  register(server: FastifyInstance): void {
    if (!this.logger.isLevelEnabled('info')) return;
    server.addHook('onResponse', (request, reply, done) => {
      const caller = (request as { principal?: Caller | null }).principal;
      this.logger.info({
        method: request.method,
        route: request.policy?.route ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 100) / 100,
        requestId: request.id,
        caller: caller?.userId ?? null,
        scheme: caller?.scheme ?? null,
      });
      done();
    });
  }

  /** What made a request fail with 5xx, with its stack, found again by the request's id. */
  failure(request: FastifyRequest, error: ApiError): void {
    const cause = error.cause instanceof Error ? error.cause : error;
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
}
