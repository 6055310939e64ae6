import { AuthSchemes } from '../access/schemes/auth-schemes.js';
import * as database from '../database/database.errors.js';
import { ErrorType } from '../http/errors/catalogue.js';
import * as http from '../http/errors/http.errors.js';
import { exampleReferences, schemaNameOf, unionOf } from './error-schemas.js';
import { ReferenceObject, ResponseObject, SchemaObject } from './components.js';
import { byStatusAndCode } from './operation-errors.js';
import { COMMON_HEADERS, headerReferences } from './response-headers.js';

/**
 * The responses that many operations share, by what they are about: each has just these codes. The response of a single
 * code is called after it, and what is not here is written out in its operation, so that an operation that is added
 * renames nothing.
 */
const BY_CODES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Unauthorized:
      'AUTHENTICATION_REQUIRED INVALID_API_KEY INVALID_CREDENTIALS INVALID_SESSION INVALID_TOKEN TOKEN_EXPIRED',
    WriteForbidden: 'CROSS_ORIGIN_REJECTED PERMISSION_DENIED',
    InvalidRead: 'INVALID_ID INVALID_QUERY',
    InvalidList: 'INVALID_CURSOR INVALID_QUERY INVALID_SORT',
    InvalidNestedList: 'INVALID_CURSOR INVALID_ID INVALID_QUERY INVALID_SORT',
    InvalidCreation: 'INVALID_IDEMPOTENCY_KEY INVALID_JSON INVALID_QUERY VALIDATION_FAILED',
    InvalidNestedCreation: 'INVALID_ID INVALID_IDEMPOTENCY_KEY INVALID_JSON INVALID_QUERY VALIDATION_FAILED',
    InvalidChange: 'INVALID_ID INVALID_JSON INVALID_QUERY VALIDATION_FAILED',
    InvalidDeletion: 'INVALID_ID INVALID_JSON INVALID_QUERY',
    UnprocessableCreation: 'IDEMPOTENCY_KEY_REUSED UNPROCESSABLE_ENTITY',
  }).map(([name, codes]) => [codes, name]),
);

/** The responses of errors, those that operations share in the components. */
export class ErrorResponses {
  /** For the components of the document. */
  readonly shared: Record<string, ResponseObject> = {};

  /** @param common the errors that any operation can answer */
  constructor(readonly common: readonly ErrorType[]) {}

  /**
   * The response of one status: one of the operation's own errors, which it names, or a common one of the same status,
   * which the default response describes.
   */
  of(own: readonly ErrorType[]): ResponseObject | ReferenceObject {
    const name = nameOf(this.namedOf(own));
    if (name === undefined) return this.written(own);
    this.shared[name] ??= this.written(own);
    return { $ref: `#/components/responses/${name}` };
  }

  /** The response of one status, written out. @param said what the route says of it itself, before the codes */
  written(own: readonly ErrorType[], said?: string): ResponseObject {
    const named = this.namedOf(own);
    const status = own[0]?.status;
    const all = [...new Set([...own, ...this.commonOf(own)])].sort(byStatusAndCode);
    const codes = named.map(({ code, summary }) => `- \`${code}\`: ${summary}`).join('\n');
    return {
      description: [said, codes].filter(Boolean).join('\n\n'),
      ...(status === 401 && { headers: headerReferences(['WWW-Authenticate']) }),
      ...(status === 503 && { headers: headerReferences(['Retry-After']) }),
      content: { 'application/json': { schema: unionOf(all), examples: exampleReferences(named) } },
    };
  }

  private commonOf(own: readonly ErrorType[]): ErrorType[] {
    return this.common.filter(({ status }) => status === own[0]?.status);
  }

  /** The errors that a response names: those of its own, and a common one where it is all there is. */
  private namedOf(own: readonly ErrorType[]): ErrorType[] {
    return own.filter((error) => own.length === 1 || !this.common.includes(error)).sort(byStatusAndCode);
  }
}

function nameOf(named: readonly ErrorType[]): string | undefined {
  const [only, ...others] = named;
  if (only && others.length === 0) return schemaNameOf(only).replace(/Error$/, '');
  return BY_CODES.get(named.map(({ code }) => code).join(' '));
}

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
