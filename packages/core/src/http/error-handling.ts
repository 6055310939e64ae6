import { ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import { Stream } from 'node:stream';
import { types } from 'node:util';

import { ArgumentsHost, Catch, ExceptionFilter, StreamableFile } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { unsupportedMediaType } from './body/json-body.js';
import { ApiError } from './errors/api-error.js';
import { type ErrorTranslator, toApiError } from './errors/to-api-error.js';
import { ErrorType } from './errors/define-errors.js';
import { HttpErrors } from './errors/http.errors.js';
import { RequestLog } from './logging/request-log.js';
import { RequestMetrics } from './request-metrics.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** The value of `WWW-Authenticate` for an error, on a route that takes certain schemes only, or all. */
    challenges?: (error: ErrorType) => string;
  }
  interface FastifyRequest {
    /** The stream that the route itself answers, before interceptors of the application changed the response. */
    routeFile?: StreamableFile;
  }
}

/** Errors of the server that are no failures: the line of the request says enough. */
const EXPECTED_ERRORS: readonly ErrorType[] = [HttpErrors.OVERLOADED, HttpErrors.MAINTENANCE];

/** Headers that a route may have set for a response that it then did not give. */
const SUCCESS_HEADERS = [
  'etag',
  'last-modified',
  'location',
  'content-length',
  'content-disposition',
  'content-encoding',
  'content-range',
  'expires',
];

/** Writes any error as the one envelope: the only place that does so for requests the parser let through. */
@Catch()
export class ApiExceptionFilter implements ExceptionFilter {
  constructor(
    private readonly translate: ErrorTranslator,
    private readonly log: RequestLog,
    private readonly metrics?: RequestMetrics,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<FastifyReply | ServerResponse>();
    // Middleware has the request and the response of `node:http`.
    const reply = 'timing' in response ? response.timing?.reply : undefined;
    const { request } = (reply ?? response) as FastifyReply;
    this.write(error, request, reply ?? (response as FastifyReply));
  }

  write(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    // The client left while its body was read: the error has the code of a reset connection, as of a lost database.
    if (types.isNativeError(error) && error === request.raw.errored) return;
    // Fastify has no parser for the type of the body, and quotes the type in its message, uncut.
    const isOfMediaType =
      (error as { code?: unknown } | undefined)?.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
    const apiError = isOfMediaType
      ? unsupportedMediaType(request.headers['content-type'], error)
      : toApiError(error, this.translate);
    if (apiError.status >= 500 && !EXPECTED_ERRORS.includes(apiError.type))
      this.log.logFailure(request, apiError);
    if (reply.sent) return;
    this.metrics?.countError(apiError.type, request);
    for (const header of SUCCESS_HEADERS) void reply.removeHeader(header);
    removeInvalidHeaders(reply);
    // Every 401 carries challenges (RFC 9110 §15.5.2).
    const challenges = apiError.status === 401 && request.server.challenges?.(apiError.type);
    if (challenges) void reply.header('www-authenticate', challenges);
    void reply
      .code(apiError.status)
      .header('cache-control', 'no-store')
      .headers(apiError.headers ?? {});
    keepConnectionOpen(request, reply);
    // In place of a serializer that the route may have given the reply.
    void reply.type('application/json').serializer(String).send(JSON.stringify(apiError.toBody()));
  }

  /** Logs and counts the error that cut a response; the line of the request has its status. Not if the client left. */
  reportAborted(error: unknown, request: FastifyRequest, { raw }: FastifyReply): void {
    if (!raw.headersSent || raw.destroyed || !raw.timing) return;
    const { type } = toApiError(error, this.translate);
    raw.timing.abortStatus = type.status;
    const message = 'The response was cut: what it is made of failed after its headers were sent.';
    this.log.logFailure(request, new ApiError(HttpErrors.INTERNAL_ERROR, message, { cause: error }));
    this.metrics?.countError(type, request);
  }
}

/** Notes streams that fail after their headers were sent: the connection is cut, and no error response tells why. */
export function registerAbortedResponses(server: FastifyInstance, writer: ApiExceptionFilter): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (payload instanceof Stream)
      payload.once('error', (error) => writer.reportAborted(error, request, reply));
    done();
  });
}

function removeInvalidHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    try {
      validateHeaderName(name);
      for (const one of [value].flat()) validateHeaderValue(name, String(one));
    } catch {
      void reply.removeHeader(name);
    }
  }
}

/** Fastify closes where it refuses a body: with bytes unread that would be a reset, and the answer lost (RFC 9112 §9.6). */
function keepConnectionOpen(request: FastifyRequest, reply: FastifyReply): void {
  // Set to the server's own value: removed, the header would be missing.
  if (reply.hasHeader('connection'))
    void reply.header('connection', reply.raw.shouldKeepAlive ? 'keep-alive' : 'close');
  if (!request.raw.complete) request.raw.resume();
}

/** Nest's Fastify adapter, which leaves unknown paths to `registerUnmatchedRoutes()` and errors of hooks to an `ApiExceptionFilter`. */
export class ApplicationAdapter extends FastifyAdapter {
  /** Called by `NestFactory`, and would put middleware before every hook: the pipeline calls `initMiddleware()`. */
  override init(): Promise<void> {
    return Promise.resolve();
  }

  /** From here on, the middleware of modules runs. */
  initMiddleware(): Promise<void> {
    return super.init();
  }

  /** Sends the stream of the route itself where interceptors made it a part of an object, or copied it. */
  override reply(response: FastifyReply, body: unknown, statusCode?: number): FastifyReply {
    const { id, routeFile } = (response.request as FastifyRequest | undefined) ?? {};
    const parts: unknown[] =
      routeFile && typeof body === 'object' && body ? [body, ...(Object.values(body) as unknown[])] : [];
    const isSent = parts.some((part) => (part as { fileOf?: unknown } | null | undefined)?.fileOf === id);
    return super.reply(response, isSent ? routeFile : body, statusCode);
  }

  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance();
  }

  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.getInstance();
  }
}

// Libraries such as nestjs-cls know the platform by the name of this class.
Object.defineProperty(ApplicationAdapter, 'name', { value: FastifyAdapter.name });
