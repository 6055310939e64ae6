/** An error of one field of a request. */
export interface ErrorDetail {
  /** A dotted path into the body (`items.0.quantity`), or the name of a query parameter. */
  readonly field: string;
  /** The rule that the field violates: `REQUIRED`, `TOO_SMALL`, `BAD_FORMAT`, … */
  readonly code: string;
  /** For people; may change. */
  readonly message: string;
}

export interface ApiErrorInit {
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  readonly operation: string;
  readonly headers: Headers;
  readonly retryAfterMs: number | undefined;
}

/**
 * An error response of the API. `isError` narrows its type to given codes, and `isErrorOf` to the codes of an operation.
 * The type of `status` is then a literal.
 */
export class ApiError<Code extends string = string, Status extends number = number> extends Error {
  override readonly name = 'ApiError';
  /** For programs; never changes. */
  readonly code: Code;
  /** The HTTP status. */
  readonly status: Status;
  /** An entry for each wrong field. Empty unless the status is 400 or 422, or 409 for a value that must be unique. */
  readonly details: readonly ErrorDetail[];
  /** The operation that failed: `orders.create`. */
  readonly operation: string;
  readonly headers: Headers;
  /** How long the server asks to wait before the next attempt, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(code: Code, status: Status, init: ApiErrorInit) {
    super(init.message);
    this.code = code;
    this.status = status;
    this.details = init.details;
    this.operation = init.operation;
    this.headers = init.headers;
    this.retryAfterMs = init.retryAfterMs;
  }

  /** Identifies the request in the logs of the server. */
  get requestId(): string | null {
    return this.headers.get('x-request-id');
  }
}

/** Thrown if the connection failed. `cause` has the reason. The server may have performed the request. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
}

/** Thrown if there was no response within `timeoutMs`. The server may have performed the request. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/**
 * A union with one type for each code, so that a comparison of `code` narrows `status`.
 *
 * @typeParam Statuses the status of each code
 */
export type ApiErrorOf<Statuses extends Record<keyof Statuses, number>, Code> = Code extends keyof Statuses &
  string
  ? ApiError<Code, Statuses[Code]>
  : never;

export function isError(error: unknown, ...codes: readonly string[]): error is ApiError {
  return error instanceof ApiError && (codes.length === 0 || codes.includes((error as ApiError).code));
}

export function isErrorOf(error: unknown, operation: string): error is ApiError {
  return error instanceof ApiError && error.operation === operation;
}

interface Envelope {
  readonly error?: { code?: unknown; message?: unknown; details?: readonly ErrorDetail[] };
}

/** Returns the error in the body of a response, or `undefined` if the body is not from the API but from a proxy. */
export function envelopeOf(
  text: string,
): { code: string; message: string; details: readonly ErrorDetail[] } | undefined {
  try {
    const { error } = JSON.parse(text) as Envelope;
    if (typeof error?.code !== 'string') return undefined;
    return { code: error.code, message: String(error.message), details: error.details ?? [] };
  } catch {
    return undefined;
  }
}
