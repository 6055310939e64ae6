import { STATUS_CODES } from 'node:http';

import { HttpException } from '@nestjs/common';

import { ApiError } from './api-error.js';
import { ErrorType } from './define-errors.js';
import { genericError, HttpErrors } from './http.errors.js';
import { truncateMessage } from './truncate-text.js';

/** Converts an error that the translator knows, such as one of PostgreSQL. Returns `undefined` for any other. */
export type ErrorTranslator = (error: unknown) => ApiError | undefined;

/** Codes of Fastify and its plugins that are more precise than the statuses of their errors. */
const ERRORS_BY_FRAMEWORK_CODE = new Map<string, ErrorType>([
  ['FST_ERR_BAD_URL', HttpErrors.INVALID_URL],
  ['FST_ERR_NOT_FOUND', HttpErrors.ROUTE_NOT_FOUND],
  // The path of a static file leaves its folder, or is not a valid path.
  ['FST_STATIC_FORBIDDEN_PATH', HttpErrors.ROUTE_NOT_FOUND],
]);

/**
 * Converts anything that was thrown to the error that the client gets. An `ApiError` stays as it is. `translate`
 * may convert other errors. The rest are errors of NestJS, Fastify or a library: the client sees the message of an `HttpException` below
 * 500, and otherwise only the text of the error type, because other messages may reveal internals.
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

/** The message that the code gave an exception. Returns `undefined` if it has only the phrase of its status. */
function exceptionMessage(error: HttpException): string | undefined {
  const response = error.getResponse();
  const { message: own, error: reasons } = response as { message?: unknown; error?: unknown };
  // An exception of @nestjs/terminus names the indicators that failed. Their reasons reveal internals: log only.
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
