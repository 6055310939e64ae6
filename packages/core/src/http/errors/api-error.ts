import { STATUS_CODES } from 'node:http';

import { HttpException } from '@nestjs/common';

/** A kind of error that a client can tell apart: its code, its HTTP status, and a sentence for the docs. */
export interface ErrorType {
  /** Upper snake case, unique in the service, never renamed once published. */
  readonly code: string;
  readonly status: number;
  readonly summary: string;
}

/**
 * Declares kinds of errors, beside the feature that throws them. An application whose routes, resources and schemes
 * name two under one code does not start.
 * @throws Error for a malformed code
 * @example export const { PRODUCT_NOT_FOUND } = defineErrors({ PRODUCT_NOT_FOUND: [404, 'There is no such product.'] });
 */
export function defineErrors<Code extends string>(
  errors: Readonly<Record<Code, readonly [status: number, summary: string]>>,
): Readonly<Record<Code, ErrorType>> {
  const types = {} as Record<Code, ErrorType>;
  for (const code of Object.keys(errors) as Code[]) {
    const [status, summary] = errors[code];
    if (!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(code))
      throw new Error(`error code ${code} is not UPPER_SNAKE_CASE`);
    types[code] = Object.freeze({ code, status, summary });
  }
  return types;
}

/** One fault of the input. `field` is a dotted path (`items.0.quantity`) or the name of a query parameter. */
export interface ErrorDetail {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export const truncateText = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max)}…` : text;

export const truncateMessage = (message: string): string => truncateText(message, 2_000);

export interface ApiErrorOptions {
  readonly details?: readonly ErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Logged with a 5xx, never sent. */
  readonly cause?: unknown;
}

/** The envelope of every error, as clients see it. */
export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly status: number;
    readonly details?: readonly ErrorDetail[];
  };
}

/**
 * An error that is meant for the client. Thrown by services and hooks; the error handler writes it.
 * `message` says what was got and what is taken, and holds no secret.
 * @example throw new ApiError(ORDER_NOT_PENDING, `The order is ${status}.`);
 */
export class ApiError extends Error {
  readonly details: readonly ErrorDetail[] | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(
    readonly type: ErrorType,
    message: string = type.summary,
    options: ApiErrorOptions = {},
  ) {
    super(message, options);
    this.name = 'ApiError';
    this.details = options.details;
    // Every 503 says when to try again.
    this.headers = type.status === 503 ? { 'retry-after': '1', ...options.headers } : options.headers;
  }

  get status(): number {
    return this.type.status;
  }

  toBody(): ErrorBody {
    const { code, status } = this.type;
    const details = this.details ?? (status === 400 || status === 422 ? [] : undefined);
    return { error: { code, message: this.message, status, ...(details && { details }) } };
  }
}

/** The errors of HTTP itself. Features declare their own in `*.errors.ts`. */
export const HttpErrors = defineErrors({
  BAD_REQUEST: [400, 'The request is not well-formed.'],
  INVALID_URL: [400, 'The path is not validly percent-encoded UTF-8.'],
  INVALID_HOST: [400, 'The Host header is missing, repeated or malformed.'],
  INVALID_JSON: [400, 'The body is not a JSON object in UTF-8.'],
  VALIDATION_FAILED: [400, 'A field is missing, of the wrong JSON type, or unknown.'],
  INVALID_ID: [400, 'An id in the path is not a positive integer.'],
  INVALID_QUERY: [400, 'A query parameter is unknown, repeated, or of the wrong type.'],
  INVALID_SORT: [400, 'The sort names an unknown field or direction, or a field twice.'],
  INVALID_CURSOR: [400, 'The cursor was changed, or belongs to another list or sort.'],
  ROUTE_NOT_FOUND: [404, 'There is nothing at this path.'],
  METHOD_NOT_ALLOWED: [
    405,
    'The path does not support this method; Allow lists the methods that it supports.',
  ],
  NOT_ACCEPTABLE: [406, 'Accept excludes JSON, or names a version that is not served.'],
  REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  API_VERSION_RETIRED: [410, 'This version of the API is no longer served.'],
  PRECONDITION_FAILED: [412, 'The condition of If-Match, If-None-Match or If-Unmodified-Since is not met.'],
  PAYLOAD_TOO_LARGE: [
    413,
    'The body is larger than 1 MiB, or than 16 KiB on a path that needs no credentials.',
  ],
  URI_TOO_LONG: [414, 'The URL is longer than 8192 bytes.'],
  UNSUPPORTED_MEDIA_TYPE: [
    415,
    'The body is neither application/json nor of a type ending in +json, is not UTF-8, or is compressed.',
  ],
  EXPECTATION_FAILED: [417, 'Expect asks for something other than 100-continue.'],
  UNPROCESSABLE_ENTITY: [422, 'A value has the right type, but its field does not accept it.'],
  UPGRADE_REQUIRED: [426, 'The path takes WebSocket connections only.'],
  RATE_LIMIT_EXCEEDED: [429, 'Too many requests; Retry-After says how many seconds to wait.'],
  HEADERS_TOO_LARGE: [431, 'The headers are larger than 16 KiB in all.'],
  INTERNAL_ERROR: [500, 'The server failed to process the request; the error has been logged.'],
  OVERLOADED: [503, 'The server is overloaded; Retry-After says when to try again.'],
  MAINTENANCE: [503, 'The service is in maintenance.'],
  HTTPS_REQUIRED: [403, 'The request did not come over TLS.'],
});

export const { UNPROCESSABLE_ENTITY } = HttpErrors;

/** Turns an error that is not ours into one that is meant for the client; `undefined`: not one it knows. */
export type ErrorTranslator = (error: unknown) => ApiError | undefined;

/** Codes of Fastify and its plugins that say more than their statuses. */
const ERRORS_BY_FRAMEWORK_CODE = new Map<string, ErrorType>([
  ['FST_ERR_BAD_URL', HttpErrors.INVALID_URL],
  ['FST_ERR_NOT_FOUND', HttpErrors.ROUTE_NOT_FOUND],
  // A path of a static file that leaves its folder, or cannot be one.
  ['FST_STATIC_FORBIDDEN_PATH', HttpErrors.ROUTE_NOT_FOUND],
]);

/** By status; at first those whose names are not the phrases of their statuses. */
const errorsByStatus = new Map<number, ErrorType>(
  [HttpErrors.RATE_LIMIT_EXCEEDED, HttpErrors.HEADERS_TOO_LARGE, HttpErrors.INTERNAL_ERROR].map((type) => [
    type.status,
    type,
  ]),
);

/**
 * The error for a status from 400 to 599 that says no more: its code is the phrase of the status, `NOT_FOUND`. That for
 * any other is `INTERNAL_ERROR`.
 * @example genericError(404).code // 'NOT_FOUND'
 */
export function genericError(status: number): ErrorType {
  if (!(status >= 400 && status <= 599)) return HttpErrors.INTERNAL_ERROR;
  const phrase = STATUS_CODES[status] ?? `HTTP ${status}`;
  const code = phrase.replaceAll("'", '').replaceAll(/\W/g, '_').toUpperCase();
  const known = errorsByStatus.get(status) ?? Object.values(HttpErrors).find((type) => type.code === code);
  const type = known ?? { code, status, summary: `${phrase}.` };
  errorsByStatus.set(status, type);
  return type;
}

/** The message that an exception was given; `undefined`: it has only the phrase of its status. */
function exceptionMessage(error: HttpException): string | undefined {
  const response = error.getResponse();
  const { message: said, error: reasons } = response as { message?: unknown; error?: unknown };
  // @nestjs/terminus names the indicators that failed. Their reasons are logged: they tell of the inside.
  const isOfTerminus = said === undefined && typeof reasons === 'object' && reasons !== null;
  const failed = isOfTerminus ? `Failed: ${Object.keys(reasons).join(', ')}.` : said;
  const given = typeof response === 'string' ? response : failed;
  const message = [given]
    .flat()
    .filter((part) => typeof part === 'string')
    .join('; ');
  const isPhrase = message === '' || message === STATUS_CODES[error.getStatus()];
  return isPhrase ? undefined : message;
}

function frameworkErrorType({
  code,
  statusCode: status,
}: {
  code?: unknown;
  statusCode?: unknown;
}): ErrorType {
  const known = typeof code === 'string' ? ERRORS_BY_FRAMEWORK_CODE.get(code) : undefined;
  // Of a library's error that says no more, the status counts if it is none of a fault of the server.
  const isTold = typeof status === 'number' && ((status >= 400 && status < 500) || status === 503);
  return known ?? (isTold ? genericError(status) : HttpErrors.INTERNAL_ERROR);
}

/**
 * The error that a client gets: the error itself if it is an `ApiError`, else its translation, else that of NestJS or
 * Fastify. Of these only the messages of exceptions are sent on, but for that of a 500, which is a bug's.
 */
export function toApiError(error: unknown, translate?: ErrorTranslator): ApiError {
  if (error instanceof ApiError) return error;
  const translated = translate?.(error);
  if (translated) return translated;
  const isException = error instanceof HttpException;
  const type = isException ? genericError(error.getStatus()) : frameworkErrorType(error ?? {});
  const message = isException && type !== HttpErrors.INTERNAL_ERROR ? exceptionMessage(error) : undefined;
  const headers = type.status === 503 ? { 'retry-after': '5' } : undefined;
  return new ApiError(type, message && truncateMessage(message), { cause: error, headers });
}
