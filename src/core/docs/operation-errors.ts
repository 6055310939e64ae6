import * as access from '../access/access.errors.js';
import * as authentication from '../access/access.errors.js';
import '../access/require-permission.decorator.js';
import { AuthSchemes, RegisteredScheme } from '../access/schemes/auth-schemes.js';
import { ErrorType } from '../http/errors/catalogue.js';
import * as http from '../http/errors/http.errors.js';
import { RoutePolicy } from '../http/route-policy.js';
import * as idempotency from '../resources/idempotency/idempotency.errors.js';
import '../resources/openapi/api-error-response.decorator.js';
import '../routes/complete-parameters.js';

/** Errors that a body can cause before the route decides whether it takes one. */
const BODY_READ = [http.INVALID_JSON];
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
  /** The errors that follow from its resource. */
  readonly resourceErrors: readonly ErrorType[];
}

/**
 * The errors that a route answers beside the common ones, as its decorators imply, by status and code. A 400 is among
 * them for every route: one that the parser finds.
 */
export function errorsOf({ method, policy, schemes, resourceErrors }: DocumentedRoute): readonly ErrorType[] {
  const { apiVersion, access: rule } = policy;
  const isRead = method === 'GET';
  const errors = new Set<ErrorType>([
    http.BAD_REQUEST,
    ...(rule?.isPublic && !rule.isIdentifying
      ? []
      : [...credentialErrors(schemes.all, isRead), access.PERMISSION_DENIED]),
    ...(isRead ? [] : BODY_READ),
    ...(policy.takesBody ? BODY_VALIDATED : []),
    ...(policy.route?.includes(':') ? [http.INVALID_ID] : []),
    ...(apiVersion === undefined ? [] : [http.INVALID_QUERY]),
    ...(policy.list ? LIST : []),
    ...(policy.validatesParameters ? [http.UNPROCESSABLE_ENTITY] : []),
    ...(policy.isIdempotent ? IDEMPOTENT : []),
    ...(policy.isConditional ? [http.PRECONDITION_FAILED] : []),
    ...resourceErrors,
    ...(policy.errors ?? []),
  ]);
  return [...errors].sort(byStatusAndCode);
}

export const byStatusAndCode = (a: ErrorType, b: ErrorType): number =>
  a.status - b.status || a.code.localeCompare(b.code);
