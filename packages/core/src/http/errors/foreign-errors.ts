import { STATUS_CODES } from 'node:http';

import { HttpException } from '@nestjs/common';

import { ApiError, ErrorType, http, shortened } from './api-error.js';

/** Turns an error that is not ours into one that is meant for the client; `undefined`: not one it knows. */
export type ErrorTranslator = (error: unknown) => ApiError | undefined;

/** Codes of Fastify and its plugins that say more than their statuses. */
const BY_CODE = new Map<string, ErrorType>([
  ['FST_ERR_BAD_URL', http.INVALID_URL],
  ['FST_ERR_NOT_FOUND', http.ROUTE_NOT_FOUND],
  // A path of a static file that leaves its folder, or cannot be one.
  ['FST_STATIC_FORBIDDEN_PATH', http.ROUTE_NOT_FOUND],
]);

/** By status; at first those whose names are not the phrases of their statuses. */
const generic = new Map<number, ErrorType>(
  [http.RATE_LIMIT_EXCEEDED, http.HEADERS_TOO_LARGE, http.INTERNAL_ERROR].map((type) => [type.status, type]),
);

/**
 * The error for a status from 400 to 599 that says no more: its code is the phrase of the status, `NOT_FOUND`.
 * @example genericError(404).code // 'NOT_FOUND'
 */
export function genericError(status: number): ErrorType {
  const phrase = STATUS_CODES[status] ?? `HTTP ${status}`;
  const code = phrase.replaceAll("'", '').replaceAll(/\W/g, '_').toUpperCase();
  const known = generic.get(status) ?? Object.values(http).find((type) => type.code === code);
  const type = known ?? { code, status, summary: `${phrase}.` };
  generic.set(status, type);
  return type;
}

const MAX_MESSAGE_LENGTH = 2_000;

/** The message that an exception was given; `undefined`: it has only the phrase of its status. */
function messageOf(error: HttpException): string | undefined {
  const response = error.getResponse();
  const given: unknown =
    typeof response === 'string' ? response : (response as { message?: unknown }).message;
  const message = [given]
    .flat()
    .filter((part) => typeof part === 'string')
    .join('; ');
  const isPhrase = message === '' || message === STATUS_CODES[error.getStatus()];
  return isPhrase ? undefined : shortened(message, MAX_MESSAGE_LENGTH);
}

/** The kind of one of NestJS's own exceptions. */
const ofException = (status: number): ErrorType =>
  status >= 400 && status <= 599 ? genericError(status) : http.INTERNAL_ERROR;

/** The kind of an error of Fastify, its plugins and the HTTP parser. */
function ofFramework({ code, statusCode: status }: { code?: unknown; statusCode?: unknown }): ErrorType {
  const known = typeof code === 'string' ? BY_CODE.get(code) : undefined;
  // Of a library's error that says no more, the status counts if it is none of a fault of the server.
  const isTold = typeof status === 'number' && ((status >= 400 && status < 500) || status === 503);
  return known ?? (isTold ? genericError(status) : http.INTERNAL_ERROR);
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
  const type = isException ? ofException(error.getStatus()) : ofFramework(error ?? {});
  const message = isException && type !== http.INTERNAL_ERROR ? messageOf(error) : undefined;
  const headers = type.status === 503 ? { 'retry-after': '5' } : undefined;
  return new ApiError(type, message, { cause: error, headers });
}
