import { defineError } from './catalogue.js';

// Errors of HTTP itself. Features declare their own in `*.errors.ts`.

export const BAD_REQUEST = defineError(400, 'BAD_REQUEST', 'The request is not well-formed.');
export const INVALID_URL = defineError(400, 'INVALID_URL', 'The path is not validly percent-encoded UTF-8.');
export const INVALID_HOST = defineError(
  400,
  'INVALID_HOST',
  'The Host header is missing, repeated or malformed.',
);
export const INVALID_JSON = defineError(400, 'INVALID_JSON', 'The body is not a JSON object in UTF-8.');
export const VALIDATION_FAILED = defineError(
  400,
  'VALIDATION_FAILED',
  'A field is missing, of the wrong JSON type, or unknown.',
);
export const INVALID_ID = defineError(400, 'INVALID_ID', 'An id in the path is not a positive integer.');
export const INVALID_QUERY = defineError(
  400,
  'INVALID_QUERY',
  'A query parameter is unknown, repeated, or of the wrong type.',
);
export const INVALID_SORT = defineError(
  400,
  'INVALID_SORT',
  'The sort names an unknown field or direction, or a field twice.',
);
export const INVALID_CURSOR = defineError(
  400,
  'INVALID_CURSOR',
  'The cursor was changed, or belongs to another list or sort.',
);
export const ROUTE_NOT_FOUND = defineError(404, 'ROUTE_NOT_FOUND', 'There is nothing at this path.');
export const METHOD_NOT_ALLOWED = defineError(
  405,
  'METHOD_NOT_ALLOWED',
  'The path does not support this method; Allow lists the methods that it supports.',
);
export const NOT_ACCEPTABLE = defineError(
  406,
  'NOT_ACCEPTABLE',
  'Accept excludes JSON, or names a version that is not served.',
);
export const REQUEST_TIMEOUT = defineError(408, 'REQUEST_TIMEOUT', 'The request did not arrive in time.');
export const API_VERSION_RETIRED = defineError(
  410,
  'API_VERSION_RETIRED',
  'This version of the API is no longer served.',
);
export const PRECONDITION_FAILED = defineError(
  412,
  'PRECONDITION_FAILED',
  'The condition of If-Match, If-None-Match or If-Unmodified-Since is not met.',
);
export const PAYLOAD_TOO_LARGE = defineError(
  413,
  'PAYLOAD_TOO_LARGE',
  'The body is larger than 1 MiB, or than 16 KiB on a path that needs no credentials.',
);
export const URI_TOO_LONG = defineError(414, 'URI_TOO_LONG', 'The URL is longer than 8192 bytes.');
export const UNSUPPORTED_MEDIA_TYPE = defineError(
  415,
  'UNSUPPORTED_MEDIA_TYPE',
  'The body is neither application/json nor of a type ending in +json, is not UTF-8, or is compressed.',
);
export const EXPECTATION_FAILED = defineError(
  417,
  'EXPECTATION_FAILED',
  'Expect asks for something other than 100-continue.',
);
export const UNPROCESSABLE_ENTITY = defineError(
  422,
  'UNPROCESSABLE_ENTITY',
  'A value has the right type, but its field does not accept it.',
);
export const UPGRADE_REQUIRED = defineError(
  426,
  'UPGRADE_REQUIRED',
  'The path takes WebSocket connections only.',
);
export const RATE_LIMIT_EXCEEDED = defineError(
  429,
  'RATE_LIMIT_EXCEEDED',
  'Too many requests; Retry-After says how many seconds to wait.',
);
export const HEADERS_TOO_LARGE = defineError(
  431,
  'HEADERS_TOO_LARGE',
  'The headers are larger than 16 KiB in all.',
);
export const INTERNAL_ERROR = defineError(
  500,
  'INTERNAL_ERROR',
  'The server failed to process the request; the error has been logged.',
);
export const OVERLOADED = defineError(
  503,
  'OVERLOADED',
  'The server is overloaded; Retry-After says when to try again.',
);
export const MAINTENANCE = defineError(503, 'MAINTENANCE', 'The service is in maintenance.');
export const HTTPS_REQUIRED = defineError(403, 'HTTPS_REQUIRED', 'The request did not come over TLS.');
