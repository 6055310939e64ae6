import { STATUS_CODES } from 'node:http';

import { defineError, ErrorType, usualCure } from './catalogue.js';
import * as http from './http.errors.js';

// Errors for statuses that a route answers by an `HttpException` of NestJS. What this service refuses itself has a more
// telling code.

export const UNAUTHORIZED = defineError(
  401,
  'UNAUTHORIZED',
  'The credentials are not accepted for this request.',
  'Send other credentials: authentication.',
);
export const PAYMENT_REQUIRED = defineError(
  402,
  'PAYMENT_REQUIRED',
  'The request has to be paid for.',
  'Follow the message: the route says what is due.',
);
export const FORBIDDEN = defineError(403, 'FORBIDDEN', 'The caller may not do this.');
export const NOT_FOUND = defineError(
  404,
  'NOT_FOUND',
  'The resource does not exist.',
  'Forget the id, or correct it.',
);
export const CONFLICT = defineError(409, 'CONFLICT', 'The request conflicts with the current state.');
export const GONE = defineError(
  410,
  'GONE',
  'The resource no longer exists.',
  'Forget the URL: it will not come back.',
);
export const LENGTH_REQUIRED = defineError(
  411,
  'LENGTH_REQUIRED',
  'The request needs a Content-Length.',
  'Send `Content-Length`.',
);
export const RANGE_NOT_SATISFIABLE = defineError(
  416,
  'RANGE_NOT_SATISFIABLE',
  'The requested range is outside the resource.',
  'Ask for a range within the length that there is.',
);
export const IM_A_TEAPOT = defineError(418, 'IM_A_TEAPOT', 'The server makes no coffee.', 'Ask for tea.');
export const MISDIRECTED_REQUEST = defineError(
  421,
  'MISDIRECTED_REQUEST',
  'The request was sent to the wrong server.',
  'Send the request to the host that it is meant for, on a new connection.',
);
export const LOCKED = defineError(
  423,
  'LOCKED',
  'The resource is locked.',
  'Wait until the lock is released, then send the request again.',
);
export const FAILED_DEPENDENCY = defineError(
  424,
  'FAILED_DEPENDENCY',
  'A request that this one depends on failed.',
  'Repeat first what the message names.',
);
export const PRECONDITION_REQUIRED = defineError(
  428,
  'PRECONDITION_REQUIRED',
  'The request needs a precondition, such as If-Match.',
  'Read the resource, and send its `ETag` in `If-Match`.',
);
export const NOT_IMPLEMENTED = defineError(
  501,
  'NOT_IMPLEMENTED',
  'The server does not support this request.',
  'Do not repeat it.',
);
export const BAD_GATEWAY = defineError(
  502,
  'BAD_GATEWAY',
  'A service behind this one failed.',
  'Wait a moment, then send the request again; tell the operator if it stays.',
);
export const SERVICE_UNAVAILABLE = defineError(
  503,
  'SERVICE_UNAVAILABLE',
  'A part of the service is unavailable; Retry-After says when to try again.',
  'Wait for `Retry-After` seconds, then send the request again.',
);
export const GATEWAY_TIMEOUT = defineError(
  504,
  'GATEWAY_TIMEOUT',
  'A service behind this one did not answer in time.',
  'Wait a moment, then send the request again; what was done is not known.',
);

/** The errors of this file: those of no operation of the service's own. */
export const GENERIC: readonly ErrorType[] = [
  UNAUTHORIZED,
  PAYMENT_REQUIRED,
  FORBIDDEN,
  NOT_FOUND,
  CONFLICT,
  GONE,
  LENGTH_REQUIRED,
  RANGE_NOT_SATISFIABLE,
  IM_A_TEAPOT,
  MISDIRECTED_REQUEST,
  LOCKED,
  FAILED_DEPENDENCY,
  PRECONDITION_REQUIRED,
  NOT_IMPLEMENTED,
  BAD_GATEWAY,
  SERVICE_UNAVAILABLE,
  GATEWAY_TIMEOUT,
];

const BY_STATUS = new Map<number, ErrorType>(
  [
    ...GENERIC,
    http.BAD_REQUEST,
    http.METHOD_NOT_ALLOWED,
    http.NOT_ACCEPTABLE,
    http.REQUEST_TIMEOUT,
    http.PRECONDITION_FAILED,
    http.PAYLOAD_TOO_LARGE,
    http.URI_TOO_LONG,
    http.UNSUPPORTED_MEDIA_TYPE,
    http.EXPECTATION_FAILED,
    http.UNPROCESSABLE_ENTITY,
    http.UPGRADE_REQUIRED,
    http.RATE_LIMIT_EXCEEDED,
    http.HEADERS_TOO_LARGE,
    http.INTERNAL_ERROR,
  ].map((type) => [type.status, type]),
);

/**
 * The error for a status from 400 to 599 that says no more: one of a status without a name is called after its number.
 */
export function genericError(status: number): ErrorType {
  const known = BY_STATUS.get(status);
  if (known) return known;
  const summary = STATUS_CODES[status] ?? (status < 500 ? 'The request was refused.' : 'The server failed.');
  return { code: `HTTP_${status}`, status, summary, cure: usualCure(status) };
}
