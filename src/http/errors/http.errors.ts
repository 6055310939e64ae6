import { defineError } from './catalogue.js';

// Errors of HTTP itself. Features declare their own in `*.errors.ts`.

export const BAD_REQUEST = defineError(
  400,
  'BAD_REQUEST',
  'The request is not well-formed.',
  'Use an HTTP library instead of writing the request by hand.',
);
export const INVALID_URL = defineError(
  400,
  'INVALID_URL',
  'The path is not validly percent-encoded UTF-8.',
  'Percent-encode the path as UTF-8.',
);
export const INVALID_HOST = defineError(
  400,
  'INVALID_HOST',
  'The Host header is missing, repeated or malformed.',
  'Send exactly one `Host` header, `host[:port]`.',
);
export const INVALID_JSON = defineError(
  400,
  'INVALID_JSON',
  'The body is not a JSON object in UTF-8.',
  'Send a JSON object in UTF-8, at most 20 levels deep, without `__proto__`.',
);
export const VALIDATION_FAILED = defineError(
  400,
  'VALIDATION_FAILED',
  'A field is missing, of the wrong JSON type, or unknown.',
  'Correct every field that `details` lists.',
);
export const INVALID_ID = defineError(
  400,
  'INVALID_ID',
  'An id in the path is not a positive integer.',
  'Send the id as decimal digits.',
);
export const INVALID_QUERY = defineError(
  400,
  'INVALID_QUERY',
  'A query parameter is unknown, repeated, or of the wrong type.',
  'Correct the parameters that `details` names; the operation in `/docs` lists all of them.',
);
export const INVALID_SORT = defineError(
  400,
  'INVALID_SORT',
  'The sort names an unknown field or direction, or a field twice.',
  'Sort by the fields that `details` lists, each once, as `field:asc` or `field:desc`.',
);
export const INVALID_CURSOR = defineError(
  400,
  'INVALID_CURSOR',
  'The cursor was changed, or belongs to another list or sort.',
  'Start the walk anew with an empty `cursor=`; change no filter or sort on the way.',
);
export const ROUTE_NOT_FOUND = defineError(
  404,
  'ROUTE_NOT_FOUND',
  'There is nothing at this path.',
  'Look the path up in `/docs`; there is no trailing slash.',
);
export const METHOD_NOT_ALLOWED = defineError(
  405,
  'METHOD_NOT_ALLOWED',
  'The path does not support this method; Allow lists the methods that it supports.',
  'Use one of the methods that `Allow` lists.',
);
export const NOT_ACCEPTABLE = defineError(
  406,
  'NOT_ACCEPTABLE',
  'Accept excludes JSON, or names a version that is not served.',
  'Accept `application/json`, or the vendor type of a version that is served.',
);
export const REQUEST_TIMEOUT = defineError(
  408,
  'REQUEST_TIMEOUT',
  'The request did not arrive in time.',
  'Send the request again, faster: all of it within 8 seconds.',
);
export const API_VERSION_RETIRED = defineError(
  410,
  'API_VERSION_RETIRED',
  'This version of the API is no longer served.',
  'Move to the version that the `Link` with `rel="successor-version"` names.',
);
export const PRECONDITION_FAILED = defineError(
  412,
  'PRECONDITION_FAILED',
  'The condition of If-Match, If-None-Match or If-Unmodified-Since is not met.',
  'Read the resource again, redo the change on what it is now, send its new `ETag`.',
);
export const PAYLOAD_TOO_LARGE = defineError(
  413,
  'PAYLOAD_TOO_LARGE',
  'The body is larger than 1 MiB, or than 16 KiB on a path that needs no credentials.',
  'Send less at once.',
);
export const URI_TOO_LONG = defineError(
  414,
  'URI_TOO_LONG',
  'The URL is longer than 8192 bytes.',
  'Shorten the query.',
);
export const UNSUPPORTED_MEDIA_TYPE = defineError(
  415,
  'UNSUPPORTED_MEDIA_TYPE',
  'The body is neither application/json nor of a type ending in +json, is not UTF-8, or is compressed.',
  'Send `Content-Type: application/json`, and no `Content-Encoding`.',
);
export const EXPECTATION_FAILED = defineError(
  417,
  'EXPECTATION_FAILED',
  'Expect asks for something other than 100-continue.',
  'Leave `Expect` out.',
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
  'Connect as a WebSocket client: the path is no resource.',
);
export const RATE_LIMIT_EXCEEDED = defineError(
  429,
  'RATE_LIMIT_EXCEEDED',
  'Too many requests; Retry-After says how many seconds to wait.',
  'Wait as many seconds as `Retry-After` says; see rate limits.',
);
export const HEADERS_TOO_LARGE = defineError(
  431,
  'HEADERS_TOO_LARGE',
  'The headers are larger than 16 KiB in all.',
  'Send fewer or shorter headers; look for cookies that pile up.',
);
export const INTERNAL_ERROR = defineError(
  500,
  'INTERNAL_ERROR',
  'The server failed to process the request; the error has been logged.',
  'Report it with the `X-Request-Id` of the response: the log has the fault under it.',
);
export const OVERLOADED = defineError(
  503,
  'OVERLOADED',
  'The server is overloaded; Retry-After says when to try again.',
  'Send it again after `Retry-After` seconds, and less of it.',
);
export const MAINTENANCE = defineError(
  503,
  'MAINTENANCE',
  'The service is in maintenance.',
  'Send it again after `Retry-After` seconds.',
);
export const HTTPS_REQUIRED = defineError(
  403,
  'HTTPS_REQUIRED',
  'The request did not come over TLS.',
  'Call over `https://`; behind a proxy, see `TRUST_PROXY` in configuration.',
);
