import { ErrorType } from './catalogue.js';

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
