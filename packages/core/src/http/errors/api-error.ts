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

export const shortened = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max)}…` : text;

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
    const hasDetails = status === 400 || status === 422;
    return {
      error: { code, message: this.message, status, ...(hasDetails && { details: this.details ?? [] }) },
    };
  }
}

/** The errors of HTTP itself. Features declare their own in `*.errors.ts`. */
export const http = defineErrors({
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

export const { UNPROCESSABLE_ENTITY } = http;
