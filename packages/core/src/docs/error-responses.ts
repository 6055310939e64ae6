import { STATUS_CODES } from 'node:http';

import * as access from '../access/access.errors.js';
import { AuthSchemes } from '../access/schemes/auth-schemes.js';
import * as database from '../database/database.errors.js';
import { ErrorType } from '../http/errors/define-errors.js';
import { genericError, HttpErrors } from '../http/errors/http.errors.js';
import * as idempotency from '../resources/idempotency/idempotency.errors.js';
import {
  DetailsByCode,
  errorExample,
  errorSchemas,
  errorSchemaName,
  anyErrorSchema,
} from './error-schemas.js';
import { DocumentedOperation, ReferenceObject, ResponseObject, Schemas } from './openapi.js';
import { COMMON_HEADERS, headerReferences } from './response-headers.js';

/** Matches the codes of `HttpErrors` that not every operation can respond with. */
const OPERATION_SPECIFIC =
  /^(INVALID_(JSON|ID|QUERY|SORT|CURSOR)|VALIDATION_FAILED|UNPROCESSABLE_ENTITY|ROUTE_NOT_FOUND|METHOD_NOT_ALLOWED|UPGRADE_REQUIRED)$/;

/** The errors that the base declares. The filter drops the functions that access.errors.ts exports. */
export const BASE_ERRORS = Object.values({ ...HttpErrors, ...database, ...idempotency, ...access }).filter(
  (one) => typeof one === 'object',
);

/**
 * The names of responses that several operations share, by their codes. A response with only one code is named after
 * the code.
 */
const SHARED_RESPONSE_NAMES: Readonly<Record<string, string>> = {
  'AUTHENTICATION_REQUIRED INVALID_API_KEY INVALID_CREDENTIALS INVALID_SESSION INVALID_TOKEN TOKEN_EXPIRED':
    'Unauthorized',
  'CROSS_ORIGIN_REJECTED PERMISSION_DENIED': 'WriteForbidden',
  'INVALID_ID INVALID_QUERY': 'InvalidRead',
  'INVALID_CURSOR INVALID_QUERY INVALID_SORT': 'InvalidList',
  'INVALID_CURSOR INVALID_ID INVALID_QUERY INVALID_SORT': 'InvalidNestedList',
  'INVALID_IDEMPOTENCY_KEY INVALID_JSON INVALID_QUERY VALIDATION_FAILED': 'InvalidCreation',
  'INVALID_ID INVALID_IDEMPOTENCY_KEY INVALID_JSON INVALID_QUERY VALIDATION_FAILED': 'InvalidNestedCreation',
  'INVALID_ID INVALID_JSON INVALID_QUERY VALIDATION_FAILED': 'InvalidChange',
  'INVALID_ID INVALID_JSON INVALID_QUERY': 'InvalidDeletion',
  'IDEMPOTENCY_KEY_REUSED UNPROCESSABLE_ENTITY': 'UnprocessableCreation',
};

export const byStatusAndCode = (a: ErrorType, b: ErrorType): number =>
  a.status - b.status || a.code.localeCompare(b.code);

export type Responses = Record<string, ResponseObject | ReferenceObject>;

/** Builds the error responses of operations, and the components that they share. */
export class ErrorResponses {
  private readonly shared: Record<string, ResponseObject> = {};
  /**
   * Errors that any operation can respond with: errors of the connection, the parser, limits and the database, and 5xx
   * errors of authentication schemes.
   */
  private readonly common: readonly ErrorType[];
  private readonly all: Set<ErrorType>;

  constructor(
    private readonly schemes: AuthSchemes,
    private readonly uniques: DetailsByCode,
  ) {
    const faults = schemes.all.flatMap(({ errors }) => errors.filter(({ status }) => status >= 500));
    const ofBase = [...Object.values(HttpErrors), ...Object.values(database)].filter(
      ({ code }) => !OPERATION_SPECIFIC.test(code),
    );
    this.common = [...new Set([...ofBase, ...faults])].sort(byStatusAndCode);
    this.all = new Set(this.common);
  }

  /**
   * Returns the error responses of an operation, by status. The route's own description comes before the codes. The
   * headers that it declares are kept.
   */
  responsesFor(documented: DocumentedOperation, ofResource: readonly ErrorType[]): Responses {
    const declared = documented.operation.responses as Record<string, ResponseObject>;
    // Decorators such as `@ApiNotFoundResponse()` declare errors that the route throws as exceptions of NestJS. With
    // `headers`, they describe the headers of other errors with the same status, such as those of `@ApiErrorResponse()`.
    const others = [...(documented.policy.errors ?? []), ...ofResource];
    const thrown = Object.keys(declared)
      .map(Number)
      .filter((status) => status >= 400)
      .filter((status) => !declared[status]?.headers || others.every((error) => error.status !== status))
      .map(genericError);
    // The response `default` includes these errors. List them by status, too, because generated clients type errors by
    // status.
    const ofServer = this.common.filter(({ status }) => status >= 500);
    const errors = [
      ...new Set([...this.impliedErrors(documented), ...ofResource, ...thrown, ...ofServer]),
    ].sort(byStatusAndCode);
    for (const error of errors) this.all.add(error);
    const statuses = new Set(errors.map(({ status }) => status));
    const responses = [...statuses].map((status) => {
      const own = errors.filter((error) => error.status === status);
      return [status, this.buildResponse(own, declared[status])];
    });
    const common = { $ref: '#/components/responses/CommonError' };
    return { ...Object.fromEntries(responses), default: common } as Responses;
  }

  /** Returns the components that the responses refer to. Adds the schemas of errors to `schemas`. */
  components(schemas: Schemas) {
    const errors = [...this.all].sort(byStatusAndCode);
    Object.assign(schemas, errorSchemas(errors, this.uniques), {
      CommonError: { description: 'An error that any operation can return.', ...anyErrorSchema(this.common) },
    });
    const examples = Object.fromEntries(
      errors.map((error) => [error.code, errorExample(error, this.uniques)]),
    );
    return { examples, responses: { ...this.shared, CommonError: this.commonResponse() } };
  }

  private get hasCookies(): boolean {
    return this.schemes.all.some(({ cookie }) => cookie !== undefined);
  }

  /** The errors that the policy of a route implies, in addition to the common ones. */
  private impliedErrors({ method, policy }: DocumentedOperation): ErrorType[] {
    const { all } = this.schemes;
    const isRead = method === 'GET';
    const isOpen = policy.access?.isPublic === true && !policy.access.authenticatesCaller;
    const implied: readonly (readonly [unknown, ...ErrorType[]])[] = [
      [true, HttpErrors.BAD_REQUEST],
      [!policy.skipsRateLimit, HttpErrors.RATE_LIMIT_EXCEEDED],
      [
        !isOpen,
        access.AUTHENTICATION_REQUIRED,
        ...all.flatMap(({ errors }) => errors),
        access.PERMISSION_DENIED,
      ],
      // Reads accept cookies from pages of any origin.
      [!isRead && (policy.readsCookies ?? (!isOpen && this.hasCookies)), access.CROSS_ORIGIN_REJECTED],
      // The body is parsed before the route runs, even if the route declares no body.
      [!isRead, HttpErrors.INVALID_JSON],
      [policy.hasBodyDto, HttpErrors.VALIDATION_FAILED, HttpErrors.UNPROCESSABLE_ENTITY],
      [policy.route?.includes(':'), HttpErrors.INVALID_ID],
      [policy.apiVersion !== undefined || policy.queryParameters, HttpErrors.INVALID_QUERY],
      [policy.list && policy.success?.kind !== 'facets', HttpErrors.INVALID_SORT, HttpErrors.INVALID_CURSOR],
      [policy.list || policy.validatesParameters, HttpErrors.UNPROCESSABLE_ENTITY],
      [policy.isTransactional, ...Object.values(idempotency)],
      [policy.isConditional || policy.batch, HttpErrors.PRECONDITION_FAILED],
      [true, ...(policy.errors ?? [])],
    ];
    return implied.flatMap(([isImplied, ...errors]) => (isImplied ? errors : []));
  }

  private sharedName(named: readonly ErrorType[]): string | undefined {
    const [first, another] = named;
    if (first && !another) return errorSchemaName(first).replace(/Error$/, '');
    // 5xx responses have one name per status, because schemes of the application may add codes.
    if (first && this.common.includes(first)) return STATUS_CODES[first.status]?.replaceAll(' ', '');
    return SHARED_RESPONSE_NAMES[named.map(({ code }) => code).join(' ')];
  }

  /**
   * Returns the response of one status. If the response has a name, returns a reference to a shared component.
   * @param declared the description and the headers that the route declares
   */
  private buildResponse(
    own: readonly ErrorType[],
    declared: Partial<ResponseObject> = {},
  ): ResponseObject | ReferenceObject {
    const ofOperation = own.filter((error) => !this.common.includes(error));
    const named = ofOperation.length > 0 ? ofOperation : own;
    const status = own[0]?.status;
    const ofStatus = this.common.filter((error) => error.status === status);
    const codes = named.map(({ code, summary }) => `- \`${code}\`: ${summary}`).join('\n');
    const implied: Readonly<Record<string, boolean>> = {
      'WWW-Authenticate': status === 401,
      // A 401 clears a cookie that is no longer valid.
      'Set-Cookie': status === 401 && this.hasCookies,
      'Retry-After': status === 429 || status === 503 || own.includes(idempotency.IDEMPOTENCY_KEY_IN_USE),
    };
    const headers = {
      ...declared.headers,
      ...headerReferences(Object.keys(implied).filter((header) => implied[header])),
    };
    const response = {
      description: [declared.description, codes].filter(Boolean).join('\n\n'),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...jsonContent(anyErrorSchema([...new Set([...own, ...ofStatus])].sort(byStatusAndCode)), named),
    };
    const name = declared.description || declared.headers ? undefined : this.sharedName(named);
    if (name === undefined) return response;
    this.shared[name] = response;
    return { $ref: `#/components/responses/${name}` };
  }

  private commonResponse(): ResponseObject {
    const statuses = [...new Set(this.common.map(({ status }) => status))];
    const codesOf = (status: number): string =>
      this.common.flatMap((error) => (error.status === status ? `\`${error.code}\`` : [])).join(', ');
    const listed = statuses.map((status) => `${status} ${codesOf(status)}`).join('; ');
    return {
      description: `An error that any operation can return: ${listed}. Releases may add codes. Handle a code that you do not know by its status.`,
      headers: headerReferences([...COMMON_HEADERS, 'Retry-After', 'Accept-Encoding']),
      ...jsonContent({ $ref: '#/components/schemas/CommonError' }, this.common),
    };
  }
}

const jsonContent = (schema: object, errors: readonly ErrorType[]): Pick<ResponseObject, 'content'> => ({
  content: {
    'application/json': {
      schema,
      examples: Object.fromEntries(
        errors.map(({ code }) => [code, { $ref: `#/components/examples/${code}` }]),
      ),
    },
  },
});
