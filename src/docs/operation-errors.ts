import * as access from '../access/access.errors.js';
import * as authentication from '../access/authentication.errors.js';
import '../access/require-permission.decorator.js';
import { AuthSchemes, RegisteredScheme } from '../access/schemes/auth-schemes.js';
import * as database from '../database/database.errors.js';
import { ErrorType } from '../http/errors/catalogue.js';
import * as http from '../http/errors/http.errors.js';
import { RoutePolicy } from '../http/route-policy.js';
import '../routes/route-parameters.js';
import * as idempotency from '../resources/idempotency/idempotency.errors.js';

/** Errors that any request can get. */
const ALWAYS: readonly ErrorType[] = [
  http.BAD_REQUEST,
  http.INVALID_URL,
  http.INVALID_HOST,
  http.HTTPS_REQUIRED,
  http.REQUEST_TIMEOUT,
  http.URI_TOO_LONG,
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

/** Errors that health checks never get: they respond for the process itself, whatever its state. */
const NEVER_OF_HEALTH: ReadonlySet<ErrorType> = new Set([
  http.HTTPS_REQUIRED,
  http.RATE_LIMIT_EXCEEDED,
  http.OVERLOADED,
  http.MAINTENANCE,
  database.DATABASE_ERROR,
  database.DATABASE_UNAVAILABLE,
  database.DATABASE_TIMEOUT,
]);

/** Errors that a body can cause before the route decides whether it takes one. */
const BODY_READ = [http.INVALID_JSON, http.PAYLOAD_TOO_LARGE, http.UNSUPPORTED_MEDIA_TYPE];
const BODY_VALIDATED = [http.VALIDATION_FAILED, http.UNPROCESSABLE_ENTITY];
const LIST = [http.INVALID_SORT, http.INVALID_CURSOR, http.UNPROCESSABLE_ENTITY];

const IDEMPOTENT = [
  idempotency.INVALID_IDEMPOTENCY_KEY,
  idempotency.IDEMPOTENCY_KEY_IN_USE,
  idempotency.IDEMPOTENCY_KEY_REUSED,
];

/** The errors of missing and refused credentials; reading takes cookies from pages of any origin. */
function credentialErrors(taken: readonly RegisteredScheme[], isRead: boolean): readonly ErrorType[] {
  const isByCookie = taken.some(({ cookie }) => cookie !== undefined);
  return [
    authentication.AUTHENTICATION_REQUIRED,
    ...taken.flatMap(({ errors }) => errors),
    ...(isByCookie && !isRead ? [authentication.CROSS_ORIGIN_REJECTED] : []),
  ];
}

/** A route that is documented. */
export interface DocumentedRoute {
  readonly method: string;
  readonly policy: RoutePolicy;
  /** The schemes of the application. */
  readonly schemes: AuthSchemes;
}

/** Every error that a route can answer, as its decorators imply, by status and code. */
export function errorsOf({ method, policy, schemes }: DocumentedRoute): readonly ErrorType[] {
  const { apiVersion, access: rule, answers } = policy;
  const hasValidators = answers?.kind === 'resource' || answers?.kind === 'list';
  const isRead = method === 'GET';
  const errors = new Set<ErrorType>([
    ...ALWAYS,
    ...(apiVersion === undefined ? [] : [http.NOT_ACCEPTABLE]),
    ...(apiVersion === 1 ? [http.API_VERSION_RETIRED] : []),
    ...(rule?.isPublic && !rule.isIdentifying
      ? []
      : [...credentialErrors(schemes.of(policy.schemes), isRead), access.PERMISSION_DENIED]),
    ...(isRead ? [] : BODY_READ),
    ...(policy.takesBody ? BODY_VALIDATED : []),
    ...(policy.route?.includes(':') ? [http.INVALID_ID] : []),
    ...(apiVersion === undefined ? [] : [http.INVALID_QUERY]),
    ...(policy.list ? LIST : []),
    ...(policy.validatesParameters ? [http.UNPROCESSABLE_ENTITY] : []),
    ...(policy.isIdempotent ? IDEMPOTENT : []),
    ...(policy.isConditional || (isRead && hasValidators) ? [http.PRECONDITION_FAILED] : []),
    ...(policy.fails ?? []),
  ]);
  const isHealth = policy.route?.startsWith('/health/') === true;
  return [...errors]
    .filter((error) => !isHealth || !NEVER_OF_HEALTH.has(error))
    .sort((a, b) => a.status - b.status || a.code.localeCompare(b.code));
}
