import { ServerResponse } from 'node:http';
import { inspect } from 'node:util';

import { HttpException } from '@nestjs/common';
import { FastifyRequest } from 'fastify';
import { Logger } from 'pino';

import { ApiError } from '../errors/api-error.js';
import { isHealthCheck } from '../health-check.js';
import { outcomeStatus } from '../request-timing.js';
import { requestCaller } from '../request-caller.js';

/** Logs the outcome of each request. A line never contains a credential, a cookie, a query or a body. */
export class RequestLog {
  constructor(private readonly logger: Logger) {}

  /** Logs a request whose response has ended: at `info`, or at `debug` if it is a health check. */
  logCompleted(response: ServerResponse): void {
    const { timing } = response;
    if (!timing) {
      const { method, url = '', socket } = response.req;
      const level = isHealthCheck(url) ? 'debug' : 'info';
      this.logRejected(response.statusCode, null, socket.remoteAddress, method, level);
      return;
    }
    const { request } = timing.reply;
    const caller = requestCaller(request);
    const route = request.policy?.route ?? null;
    this.logger[route !== null && isHealthCheck(route) ? 'debug' : 'info']({
      method: request.method,
      route,
      status: outcomeStatus(response),
      ms: Math.round((performance.now() - timing.startedAt) * 100) / 100,
      requestId: request.id,
      caller: caller?.userId ?? null,
      scheme: caller?.scheme ?? null,
      address: request.ip,
      ...request.trace,
    });
  }

  /**
   * Logs a request that never reached Fastify.
   * @param peer the address of the connection, because no header has been read
   * @param method `null` if the parser did not read the method
   */
  logRejected(
    status: number,
    requestId: string | null,
    peer: string | undefined,
    method: string | null = null,
    level: 'info' | 'debug' = 'info',
  ): void {
    const unknown = { caller: null, scheme: null, address: peer ?? null };
    this.logger[level]({ method, route: null, status, ms: 0, requestId, ...unknown });
  }

  /** Logs an error of the server, with its cause. */
  logFailure(request: FastifyRequest, error: ApiError): void {
    const report = {
      requestId: request.id,
      route: request.policy?.route ?? null,
      ...request.trace,
      error: describeError(error.cause ?? error),
    };
    this.logger[error.status === 500 ? 'error' : 'warn'](report, error.message);
  }
}

/** How many nested causes are logged. */
const MAX_CAUSES = 3;

/** Formats a thrown value for the log. Libraries may throw objects that are not native errors, or text. */
function describeError(thrown: unknown, causes = MAX_CAUSES): object {
  const { message, code, cause } = (thrown ?? {}) as { message?: unknown; code?: unknown; cause?: unknown };
  const text = inspect(thrown, { depth: 0, maxStringLength: 2_000 });
  const error = typeof message === 'string' ? (thrown as Error) : { name: typeof thrown, message: text };
  const hasCause = causes > 0 && cause !== undefined && cause !== null;
  // In an error of @nestjs/terminus, the response contains the result of each health indicator.
  const response = thrown instanceof HttpException ? thrown.getResponse() : undefined;
  return {
    ...redactValues(error),
    code,
    response,
    ...(hasCause && { cause: describeError(cause, causes - 1) }),
  };
}

/** SQLSTATE classes whose messages quote values: data exceptions and violated constraints. */
const QUOTES_VALUES = /^2[23]/;

/** Removes the values that PostgreSQL quotes in the message of an error. */
function redactValues({ name, message, stack, ...rest }: Error): Pick<Error, 'name' | 'message' | 'stack'> {
  const { code, driverError } = rest as { code?: unknown; driverError?: { code?: unknown } };
  if (!QUOTES_VALUES.test(String(driverError?.code ?? code))) return { name, message, stack };
  const said = message.replace(/"[\s\S]*"/, '"…"');
  return { name, message: said, stack: stack?.replace(message, () => said) };
}
