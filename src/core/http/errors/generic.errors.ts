import { STATUS_CODES } from 'node:http';

import { defineError, ErrorType } from './catalogue.js';
import * as http from './http.errors.js';

/** Statuses that a route answers by an `HttpException` of NestJS; the service's own errors have more telling codes. */
const SUMMARIES: Readonly<Record<number, string>> = {
  401: 'The credentials are not accepted for this request.',
  402: 'The request has to be paid for.',
  403: 'The caller may not do this.',
  404: 'The resource does not exist.',
  409: 'The request conflicts with the current state.',
  410: 'The resource no longer exists.',
  411: 'The request needs a Content-Length.',
  416: 'The requested range is outside the resource.',
  418: 'The server makes no coffee.',
  421: 'The request was sent to the wrong server.',
  423: 'The resource is locked.',
  424: 'A request that this one depends on failed.',
  428: 'The request needs a precondition, such as If-Match.',
  501: 'The server does not support this request.',
  502: 'A service behind this one failed.',
  503: 'A part of the service is unavailable; Retry-After says when to try again.',
  504: 'A service behind this one did not answer in time.',
};

/** `418 I'm a Teapot` is `IM_A_TEAPOT`. */
const codeOf = (status: number): string =>
  (STATUS_CODES[status] ?? '').replaceAll("'", '').replaceAll(/\W/g, '_').toUpperCase();

/** The errors of this file: those of no operation of the service's own. */
export const GENERIC: readonly ErrorType[] = Object.entries(SUMMARIES).map(([status, summary]) =>
  defineError(Number(status), codeOf(Number(status)), summary),
);

/** The first error of a status by its name: `BAD_REQUEST` of 400. */
const BY_STATUS = new Map(
  [...Object.values(http).reverse(), ...GENERIC].map((type) => [type.status, type] as const),
);

/** The error for a status from 400 to 599 that says no more: one without a name is called after its number. */
export function genericError(status: number): ErrorType {
  const known = BY_STATUS.get(status);
  if (known) return known;
  const summary = STATUS_CODES[status] ?? (status < 500 ? 'The request was refused.' : 'The server failed.');
  return { code: `HTTP_${status}`, status, summary };
}
