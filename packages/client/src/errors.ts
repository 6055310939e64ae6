/** A fault of one field of a request. */
export interface ErrorDetail {
  /** A dotted path into the body (`items.0.quantity`), or the name of a query parameter. */
  readonly field: string;
  /** The broken rule: `REQUIRED`, `TOO_SMALL`, `BAD_FORMAT`, … */
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
 * An error that the API answered with. `isError` narrows it to codes, `isErrorOf` to the codes of an operation; `status`
 * is then a literal.
 */
export class ApiError<Code extends string = string, Status extends number = number> extends Error {
  override readonly name = 'ApiError';
  /** For programs; never changes. */
  readonly code: Code;
  /** The HTTP status. */
  readonly status: Status;
  /** The faulty fields, of errors with status 400 and 422, and of 409 if a unique value is taken; else empty. */
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

/** The connection could not be made or was lost; `cause` says why. What was asked may have been done. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
}

/** No answer came within `timeoutMs`. What was asked may have been done. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/**
 * One type for each code, so that a comparison of `code` narrows `status`.
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

/** The error in the body of a response; `undefined` where the body is of somebody else, a proxy for one. */
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
