import { ServerResponse } from 'node:http';
import { types } from 'node:util';

import { FastifyRequest } from 'fastify';
import { Logger } from 'pino';

import { ApiError } from '../errors/api-error.js';
import { sentStatus } from '../exchange.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The ids of its span, where it is traced. */
    trace?: { readonly traceId: string; readonly spanId: string };
  }
}

/** Logs the outcome of each request. A line never holds a credential, a cookie, a query or a body. */
export class RequestLog {
  constructor(private readonly logger: Logger) {}

  ended(response: ServerResponse): void {
    const { exchange } = response;
    if (!exchange) {
      this.refused(response.statusCode, null, response.req.method);
      return;
    }
    const { request } = exchange.reply;
    const { principal } = request;
    this.logger.info({
      method: request.method,
      route: request.policy?.route ?? null,
      status: sentStatus(response),
      ms: Math.round((performance.now() - exchange.startedAt) * 100) / 100,
      requestId: request.id,
      caller: principal?.userId ?? null,
      scheme: principal?.scheme ?? null,
      ...request.trace,
    });
  }

  /** Writes the line of a request that was refused before Fastify saw it: its method is known where it was read. */
  refused(status: number, requestId: string | null, method: string | null = null): void {
    this.logger.info({ method, route: null, status, ms: 0, requestId, caller: null, scheme: null });
  }

  failure(request: FastifyRequest, error: ApiError): void {
    const cause = types.isNativeError(error.cause) ? error.cause : error;
    const { name, message, stack } = withoutValues(cause);
    const report = {
      requestId: request.id,
      route: request.policy?.route ?? null,
      ...request.trace,
      error: { name, message, code: (cause as { code?: unknown }).code, stack },
    };
    this.logger[error.status === 500 ? 'error' : 'warn'](report, error.message);
  }
}

/** SQLSTATE classes of errors that quote values: data exceptions, violated constraints. */
const QUOTES_VALUES = /^2[23]/;

/** An error as it may be logged: PostgreSQL quotes values where they are at fault. */
function withoutValues({ name, message, stack, ...rest }: Error): Pick<Error, 'name' | 'message' | 'stack'> {
  const { code, driverError } = rest as { code?: unknown; driverError?: { code?: unknown } };
  if (!QUOTES_VALUES.test(String(driverError?.code ?? code))) return { name, message, stack };
  const said = message.replace(/"[\s\S]*"/, '"…"');
  return { name, message: said, stack: stack?.replace(message, () => said) };
}
