import { ErrorType } from './define-errors.js';

/** One fault of the input. */
export interface ErrorDetail {
  /** A dotted path into the body, such as `items.0.quantity`, or the name of a query parameter. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export interface ApiErrorOptions {
  readonly details?: readonly ErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The original error. It is logged if the status is 5xx, and never sent. */
  readonly cause?: unknown;
}

/** The JSON body of every error response. */
export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly status: number;
    readonly details?: readonly ErrorDetail[];
  };
}

/**
 * An error for the client. Services and hooks throw it, and `ApiExceptionFilter` writes the response. The message names
 * the rule and the value that was sent. Never put a secret in the message. If the fault is a bug of the server, throw a
 * plain `Error` instead: the filter logs the error, and the client gets `INTERNAL_ERROR`.
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
    // Every 503 tells the client when to try again.
    this.headers = type.status === 503 ? { 'retry-after': '1', ...options.headers } : options.headers;
  }

  get status(): number {
    return this.type.status;
  }

  /** Returns the JSON envelope. In a 400 or 422 it always has `details`, which may be empty. */
  toBody(): ErrorBody {
    const { code, status } = this.type;
    const details = this.details ?? (status === 400 || status === 422 ? [] : undefined);
    return { error: { code, message: this.message, status, ...(details && { details }) } };
  }
}
