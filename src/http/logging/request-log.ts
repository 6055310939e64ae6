import { ServerResponse } from 'node:http';
import { types } from 'node:util';

import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Logger } from 'pino';

import { ApiError } from '../errors/api-error.js';

/** Who called, as far as the log may say. */
interface Caller {
  readonly userId: number | null;
  readonly scheme: string;
}

const REPLY = Symbol('reply');

const REQUEST_ID = Symbol('request id');

type LoggedResponse = ServerResponse & { [REPLY]?: FastifyReply; [REQUEST_ID]?: string };

/** Logged in place of a status where the client went before it was sent one, as nginx does. */
export const CLIENT_GONE = 499;

/** Says in the log what became of each request. Never a credential, a cookie, a query or a body. */
export class RequestLog {
  private readonly isOn: boolean;

  constructor(private readonly logger: Logger) {
    this.isOn = logger.isLevelEnabled('info');
  }

  /** Lets the line of each request say what Fastify knows of it. */
  register(server: FastifyInstance): void {
    if (!this.isOn) return;
    server.addHook('onRequest', (_request, reply, done) => {
      (reply.raw as LoggedResponse)[REPLY] = reply;
      done();
    });
  }

  /** Writes the line of a request: it was answered, or its client is gone. */
  ended(response: LoggedResponse): void {
    if (!this.isOn) return;
    const reply = response[REPLY];
    if (reply) this.answered(reply.request, reply);
    else this.refused(response.statusCode, response[REQUEST_ID] ?? null, response.req.method);
  }

  /** Tells the id of a request that Fastify does not see. */
  identify(response: LoggedResponse, requestId: string): void {
    response[REQUEST_ID] = requestId;
  }

  /** Writes the line of a request that was refused before Fastify saw it: its method is known where it was read. */
  refused(status: number, requestId: string | null, method: string | null = null): void {
    this.logger.info({ method, route: null, status, ms: 0, requestId, caller: null, scheme: null });
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
