import { ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import { Stream } from 'node:stream';
import { types } from 'node:util';

import { ArgumentsHost, Catch, ExceptionFilter } from '@nestjs/common';
import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { unsupportedMediaType } from '../body/json-body.js';
import { ApiError } from './api-error.js';
import { type ErrorTranslator, toApiError } from './to-api-error.js';
import { ErrorType } from './define-errors.js';
import { HttpErrors } from './http.errors.js';
import { isHealthCheck } from '../health-check.js';
import { RequestLog } from '../logging/request-log.js';
import { RequestMetrics } from '../request-metrics.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the value of `WWW-Authenticate` for an error: the challenges of all authentication schemes. */
    challenges?: (error: ErrorType) => string;
  }
}

/** 5xx errors that are not logged as failures, because the log line of the request says enough. */
const EXPECTED_ERRORS: readonly ErrorType[] = [HttpErrors.OVERLOADED, HttpErrors.MAINTENANCE];

/** Headers that belong only to a success. A route may have set them before it failed. */
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

/**
 * Writes every error as the JSON envelope of `ApiError`, with its status and headers, and logs failures of the server.
 * Nothing else writes errors, except `ParserErrorResponder` for requests that the HTTP parser rejects.
 */
@Catch()
export class ApiExceptionFilter implements ExceptionFilter {
  constructor(
    private readonly translate: ErrorTranslator,
    private readonly log: RequestLog,
    private readonly metrics?: RequestMetrics,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<FastifyReply | ServerResponse>();
    // For an error in middleware, NestJS passes the response of `node:http` instead of Fastify's reply.
    const reply = 'timing' in response ? response.timing?.reply : undefined;
    const { request } = (reply ?? response) as FastifyReply;
    this.write(error, request, reply ?? (response as FastifyReply));
  }

  write(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    // The client disconnected while the body was read. Compare the objects, not the codes, because the error of a lost
    // database connection has the same code.
    if (types.isNativeError(error) && error === request.raw.errored) return;
    // Fastify has no parser for the media type of the body. Its message would quote the whole type, which may be long.
    const isMediaTypeError =
      (error as { code?: unknown } | undefined)?.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
    const apiError = isMediaTypeError
      ? unsupportedMediaType(request.headers['content-type'], error)
      : toApiError(error, this.translate);
    // `Readiness` logs why the process is not ready, once.
    const isNotReady = apiError.status === 503 && isHealthCheck(request.policy?.route ?? '');
    if (apiError.status >= 500 && !isNotReady && !EXPECTED_ERRORS.includes(apiError.type))
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
    // Replace a serializer that the route may have set, because the body is already JSON.
    void reply.type('application/json').serializer(String).send(JSON.stringify(apiError.toBody()));
  }

  /**
   * Logs and counts an error that cut off a response after its headers were sent. The log line of the request then has
   * the status of the error. Does nothing if the client has disconnected.
   */
  reportAborted(error: unknown, request: FastifyRequest, { raw }: FastifyReply): void {
    if (!raw.headersSent || raw.destroyed || !raw.timing) return;
    const { type } = toApiError(error, this.translate);
    raw.timing.abortStatus = type.status;
    const message = 'The response was cut off: its stream failed after the headers were sent.';
    this.log.logFailure(request, new ApiError(HttpErrors.INTERNAL_ERROR, message, { cause: error }));
    this.metrics?.countError(type, request);
  }
}

/**
 * Reports streams that fail after the headers were sent. The client only sees that the connection is cut, because an
 * error response can no longer be sent.
 */
export function registerAbortedResponses(server: FastifyInstance, filter: ApiExceptionFilter): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (payload instanceof Stream)
      payload.once('error', (error) => filter.reportAborted(error, request, reply));
    done();
  });
}

/** Removes headers that a route has set, but that `node:http` refuses to send. */
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

/**
 * Keeps the connection open and reads the rest of the body. Otherwise Fastify would close the connection when it
 * rejects a body. Unread bytes would then reset the connection, and the client would never see the response (RFC 9112
 * §9.6).
 */
function keepConnectionOpen(request: FastifyRequest, reply: FastifyReply): void {
  // Set the header to the value that `node:http` would send. Without the header, the response would have none.
  if (reply.hasHeader('connection'))
    void reply.header('connection', reply.raw.shouldKeepAlive ? 'keep-alive' : 'close');
  if (!request.raw.complete) request.raw.resume();
}
