import { AuthSchemes } from '../access/schemes/auth-schemes.js';
import * as database from '../database/database.errors.js';
import { ErrorType } from '../http/errors/catalogue.js';
import * as http from '../http/errors/http.errors.js';
import { exampleReferences, unionOf } from './error-schemas.js';
import { ResponseObject, SchemaObject } from './components.js';
import { byStatusAndCode } from './operation-errors.js';
import { COMMON_HEADERS, headerReferences } from './response-headers.js';

/** Of the connection, the parser, the limits, and of faults. */
const OF_ANY_SERVICE: readonly ErrorType[] = [
  http.BAD_REQUEST,
  http.INVALID_URL,
  http.INVALID_HOST,
  http.HTTPS_REQUIRED,
  http.NOT_ACCEPTABLE,
  http.REQUEST_TIMEOUT,
  http.API_VERSION_RETIRED,
  http.PRECONDITION_FAILED,
  http.PAYLOAD_TOO_LARGE,
  http.URI_TOO_LONG,
  http.UNSUPPORTED_MEDIA_TYPE,
  http.EXPECTATION_FAILED,
  http.RATE_LIMIT_EXCEEDED,
  http.HEADERS_TOO_LARGE,
  http.INTERNAL_ERROR,
  http.OVERLOADED,
  http.MAINTENANCE,
  database.DATABASE_ERROR,
  database.DATABASE_UNAVAILABLE,
  database.DATABASE_TIMEOUT,
];

/** Errors that are answered whatever the operation, by status and code; those of a scheme's own faults among them. */
export function commonErrorsOf(schemes: AuthSchemes): readonly ErrorType[] {
  const faults = schemes.all.flatMap(({ errors }) => errors.filter(({ status }) => status >= 500));
  return [...new Set([...OF_ANY_SERVICE, ...faults])].sort(byStatusAndCode);
}

/** The name of the response that every operation has by `default`, and of its schema. */
export const COMMON_RESPONSE = 'CommonError';

/** The union of the common errors. */
export const commonSchema = (errors: readonly ErrorType[]): SchemaObject => ({
  description: 'An error that any operation can answer.',
  ...unionOf(errors),
});

/** `400 BAD_REQUEST, INVALID_HOST; 403 HTTPS_REQUIRED; …` */
function listed(errors: readonly ErrorType[]): string {
  const statuses = [...new Set(errors.map(({ status }) => status))];
  const codesOf = (status: number): string =>
    errors.flatMap((error) => (error.status === status ? [`\`${error.code}\``] : [])).join(', ');
  return statuses.map((status) => `${status} ${codesOf(status)}`).join('; ');
}

/** The errors that any operation can answer beside those that it lists, described once. */
export const commonResponse = (errors: readonly ErrorType[]): ResponseObject => ({
  description: `An error that any operation can answer: ${listed(errors)}.`,
  headers: headerReferences([...COMMON_HEADERS, 'Retry-After', 'Accept-Encoding']),
  content: {
    'application/json': {
      schema: {
        // A common error is an `Error` as well.
        anyOf: [
          { $ref: `#/components/schemas/${COMMON_RESPONSE}` },
          // Codes that a later release adds.
          { $ref: '#/components/schemas/Error' },
        ],
      },
      examples: exampleReferences(errors),
    },
  },
});
