import { STATUS_CODES } from 'node:http';

import { defineErrors, ErrorType } from './define-errors.js';

/** The errors that HTTP itself defines. Each feature declares its own errors in its `*.errors.ts`. */
export const HttpErrors = defineErrors({
  BAD_REQUEST: [400, 'The request is not well-formed.'],
  INVALID_URL: [400, 'The path is not validly percent-encoded UTF-8.'],
  INVALID_HOST: [400, 'The Host header is missing, repeated or malformed.'],
  INVALID_JSON: [400, 'The body is not a JSON object in UTF-8.'],
  VALIDATION_FAILED: [400, 'A field is missing, unknown, or of the wrong JSON type.'],
  INVALID_ID: [400, 'An id in the path is not a positive integer.'],
  INVALID_QUERY: [400, 'A query parameter is unknown, repeated, or of the wrong type.'],
  INVALID_SORT: [400, 'The sort contains an unknown field or direction, or a field twice.'],
  INVALID_CURSOR: [400, 'The cursor was changed, or belongs to another list or sort.'],
  ROUTE_NOT_FOUND: [404, 'The path does not exist.'],
  METHOD_NOT_ALLOWED: [
    405,
    'The path does not support this method. Allow lists the methods that it supports.',
  ],
  NOT_ACCEPTABLE: [406, 'Accept excludes JSON, or names a version that is not served.'],
  REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
  API_VERSION_RETIRED: [410, 'This version of the API is no longer served.'],
  PRECONDITION_FAILED: [412, 'The condition in If-Match, If-None-Match or If-Unmodified-Since is not met.'],
  PAYLOAD_TOO_LARGE: [
    413,
    'The body is larger than 1 MiB, or than 16 KiB on a path that needs no credentials.',
  ],
  URI_TOO_LONG: [414, 'The URL is longer than 8192 bytes.'],
  UNSUPPORTED_MEDIA_TYPE: [
    415,
    'The body is compressed, is not in UTF-8, or is neither application/json nor a type ending in +json.',
  ],
  EXPECTATION_FAILED: [417, 'Expect asks for something other than 100-continue.'],
  UNPROCESSABLE_ENTITY: [422, 'A value has the right type, but its field does not accept it.'],
  UPGRADE_REQUIRED: [426, 'The path only accepts WebSocket connections.'],
  RATE_LIMIT_EXCEEDED: [429, 'The client sent too many requests. Retry-After says how many seconds to wait.'],
  HEADERS_TOO_LARGE: [431, 'The headers are larger than 16 KiB in total.'],
  INTERNAL_ERROR: [500, 'The server failed to process the request. The error has been logged.'],
  OVERLOADED: [503, 'The server is overloaded. Retry-After says when to try again.'],
  MAINTENANCE: [503, 'The service is in maintenance.'],
  HTTPS_REQUIRED: [403, 'The request did not use HTTPS.'],
});

export const { UNPROCESSABLE_ENTITY } = HttpErrors;

/**
 * Error types by status. At first the map contains the three types whose codes differ from the phrases of their
 * statuses. `genericError()` adds others.
 */
const errorsByStatus = new Map<number, ErrorType>(
  [HttpErrors.RATE_LIMIT_EXCEEDED, HttpErrors.HEADERS_TOO_LARGE, HttpErrors.INTERNAL_ERROR].map((type) => [
    type.status,
    type,
  ]),
);

/**
 * Returns the error type for an error of which only the status is known. For a status from 400 to 599, the code is made
 * of the phrase of the status. For any other number, the type is `INTERNAL_ERROR`.
 *
 * Do not use it for an error that clients should recognize: declare that error with `defineErrors()`.
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
