import { STATUS_CODES } from 'node:http';

import { HttpException } from '@nestjs/common';

import { ApiError } from './api-error.js';
import { ErrorType } from './define-errors.js';
import { genericError, HttpErrors } from './http.errors.js';
import { truncateMessage } from './truncate-text.js';

/**
 * Converts an error that the translator knows, such as an error of PostgreSQL. Returns `undefined` for other errors.
 */
export type ErrorTranslator = (error: unknown) => ApiError | undefined;

/** Error types by the error codes of Fastify and its plugins. Only codes that say more than the status are listed. */
const ERRORS_BY_FRAMEWORK_CODE = new Map<string, ErrorType>([
  ['FST_ERR_BAD_URL', HttpErrors.INVALID_URL],
  ['FST_ERR_NOT_FOUND', HttpErrors.ROUTE_NOT_FOUND],
  // The path leads out of the folder with the static files, or is not a valid path.
  ['FST_STATIC_FORBIDDEN_PATH', HttpErrors.ROUTE_NOT_FOUND],
]);

/**
 * Converts a thrown value to the error that the client gets. Returns an `ApiError` unchanged. `translate` may convert
 * other errors. Errors that it does not convert come from NestJS, Fastify, a library or a bug. The client sees the
 * message of an `HttpException`, unless its status is 500. For any other error, the client sees the summary of the
 * error type, because the message may reveal internals.
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

/** Returns the message of an exception, or `undefined` if it only repeats the name of the status: `Not Found`. */
function exceptionMessage(error: HttpException): string | undefined {
  const response = error.getResponse();
  const { message: own, error: reasons } = response as { message?: unknown; error?: unknown };
  // An exception of @nestjs/terminus contains the health indicators that failed, with reasons. Send only their names,
  // because the reasons reveal internals. The reasons are logged.
  const isFromTerminus = own === undefined && typeof reasons === 'object' && reasons !== null;
  const failed = isFromTerminus ? `Failed: ${Object.keys(reasons).join(', ')}.` : own;
  const message = [typeof response === 'string' ? response : failed]
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
  // For other library errors, keep a 4xx or 503 status; anything else becomes 500.
  const isKept = typeof status === 'number' && ((status >= 400 && status < 500) || status === 503);
  return known ?? (isKept ? genericError(status) : HttpErrors.INTERNAL_ERROR);
}
