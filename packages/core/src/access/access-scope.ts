import {
  Alternatives,
  IdCondition,
  matchesAnyAlternative,
  matchesException,
  RowFilter,
} from '../database/row-filter.js';
import { parseId } from '../fields/parse-id.pipe.js';
import type { RoutePolicy } from '../routes/route-policy.js';
import { permissionDenied, permissionDeniedByGrant } from './access.errors.js';
import { CALLER, GrantSource } from './grant-sources.js';
import { GrantedPermission, Grants, Ids } from './grants.js';
import { MANAGE_USERS, permissionsOf, STAFF_ROLES } from '../config/define-access.js';
import { Principal } from './principal.js';
import { PermissionRule } from './require-permission.decorator.js';

const NO_ROWS: readonly never[] = Object.freeze([]);

function union(...parts: readonly Alternatives[]): Alternatives {
  return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
}

function intersection(a: Alternatives, b: Alternatives): Alternatives {
  if (a === null) return b;
  if (b === null) return a;
  return a.flatMap((terms) => b.map((others) => [...terms, ...others]));
}

/** The input of `resolveAccessScope()`: the caller and their grants, the route and its path parameters. */
export interface AccessRequest {
  readonly principal: Principal;
  readonly rule: PermissionRule;
  readonly permission: GrantedPermission;
  readonly grantSources: readonly GrantSource[];
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly grants: Grants;
  /**
   * Whether the request is about a row that already exists. If omitted, a request that needs the permission `create` is
   * about a new row, unless its path contains the id of an existing one.
   */
  readonly hasRow?: boolean;
  /**
   * Returns the access rule of the route that reads rows of this resource. If no such route exists, `rule` applies with
   * the permission `read` instead of its own.
   */
  readonly findReadRule?: () => RoutePolicy['access'];
}

/**
 * The rows on which a caller may perform the action of a request: the rows that match `anyOf`, minus the rows that
 * match `except`, which grants deny. If `anyOf` is `null`, every row matches it. If `anyOf` is empty, no row does.
 *
 * Repositories require a scope as a parameter, so that no query can forget the check. A scope is valid for one request
 * only.
 */
export interface AccessScope extends RowFilter {
  /** The caller, or `null` for the service's own work. */
  readonly principal: Principal | null;
  readonly permission: GrantedPermission;
  /** The rows that the caller may know about. No response may reveal whether any other row exists. */
  readonly readable: Alternatives;
  /**
   * The user id of the caller, if the scope is limited to rows that they own; otherwise `''`. A list cursor is valid
   * only for the owner for whom it was created.
   */
  readonly owner: string;
}

/**
 * The scope that contains every row. Use it for work of the service itself, such as a job.
 *
 * Do not pass it for a request: the caller would see rows that belong to others. Pass `caller.scope` instead.
 * @example const order = await this.orders.get(id, EVERYTHING, tx);
 */
export const EVERYTHING: AccessScope = Object.freeze({
  principal: null,
  permission: 'read',
  except: NO_ROWS,
  anyOf: null,
  readable: null,
  owner: '',
});

/**
 * Returns the rows on which a caller may perform an action. The result depends on the caller's role or API key, on the
 * path and on the grants. A `deny` grant overrides an `allow` grant, and every grant overrides the role. A grant that
 * denies `read` denies all other permissions too. An API key may do what its permissions or its own grants allow, but
 * no more than its owner may do.
 * @throws ApiError `PERMISSION_DENIED` if a grant denies the resource whose id is in the path
 */
export function resolveAccessScope(question: AccessRequest): AccessScope {
  const { principal, rule, permission, grants } = question;
  const except = grants.isEmpty ? NO_ROWS : findDeniedRows(question);
  const anyOf = findPermittedRows(question);
  if (anyOf === null && except.length === 0) return EVERYTHING;
  const readable = anyOf === null || permission === 'read' ? anyOf : findReadableRows(question);
  const owner = anyOf !== null && typeof rule.ownerField === 'string' ? String(principal.userId) : '';
  return Object.freeze({ principal, permission, except, anyOf, readable, owner });
}

function findReadableRows(question: AccessRequest): Alternatives {
  const { rule, findReadRule } = question;
  // On a route that needs `manage_users`, this permission also lets the caller know about the rows. The caller does not
  // need `read`.
  const permission = rule.permission === MANAGE_USERS ? rule.permission : 'read';
  const reading = findReadRule?.() ?? { ...rule, permission };
  return reading.isPublic ? null : findPermittedRows({ ...question, permission: 'read', rule: reading });
}

/**
 * Whether the caller may perform the action on a row. If the result is false, respond as if the row did not exist,
 * because the caller must not learn that it exists.
 * @throws ApiError `PERMISSION_DENIED` if the caller is allowed to know about the row, but not to perform the action
 */
export function isInScope(scope: AccessScope, row: object): boolean {
  const { principal, permission, anyOf, readable } = scope;
  const isAllowed = matchesAnyAlternative(anyOf, row);
  if (!isAllowed && !matchesAnyAlternative(readable, row)) return false;
  if (matchesException(scope, row)) throw permissionDeniedByGrant(permission);
  if (!isAllowed) throw permissionDenied(principal, permission, true);
  return true;
}

/**
 * Returns the rows that the caller may use by their role, API key, ownership or `allow` grants. It ignores `deny`
 * grants.
 */
function findPermittedRows(question: AccessRequest): Alternatives {
  const { principal, permission, rule } = question;
  const { permissions, role } = principal;
  const isForRole = !rule.staff || STAFF_ROLES.includes(role);
  // On a route that needs `manage_users`, an API key also needs the permission of the HTTP method, such as `update`.
  const isHeld =
    principal.kind !== 'api-key' || rule.permission !== MANAGE_USERS || permissions.has(permission);
  if (isForRole && isHeld && permissions.has(rule.permission)) return null;
  const own = findOwnRows(question);
  const opened = findAllowedRows(question, false);
  if (principal.kind !== 'api-key') return union(own, opened);
  // If the key has the permission, it may use the rows that its owner owns, and the rows that grants to its owner
  // allow. It may also use the rows that grants to the key itself allow, if its owner may use them.
  const ofOwner = isForRole && permissionsOf(role).has(rule.permission) ? null : union(own, opened);
  const openedToKey = findAllowedRows(question, true);
  return union(
    permissions.has(rule.ownerField === undefined ? permission : rule.permission) ? own : NO_ROWS,
    permissions.has(permission) ? opened : NO_ROWS,
    intersection(openedToKey, ofOwner),
  );
}

function findOwnRows(question: AccessRequest): Alternatives {
  const { rule, principal, params } = question;
  const { selfParam, ownerField } = rule;
  if (principal.userId === null) return NO_ROWS;
  if (selfParam !== undefined) {
    const [id] = /^\d+$/.exec(params[selfParam] ?? '') ?? [];
    return Number(id) === principal.userId ? null : NO_ROWS;
  }
  if (ownerField === undefined) return NO_ROWS;
  // A new row will belong to the caller. If `ownerField` is `true`, the service checks who owns a row.
  if (ownerField === true || isForNewRow(question)) return null;
  return [[{ property: ownerField, ids: [principal.userId] }]];
}

/**
 * Returns the rows that `allow` grants permit. If the path contains the id of a granted resource, these are all rows
 * (`null`). Otherwise, these are the rows that belong to a granted resource.
 * @param toKey whether to use the grants to the API key itself. If false, the grants to the user are used
 */
function findAllowedRows(question: AccessRequest, toKey: boolean): Alternatives {
  const { grants, grantSources, permission, rule } = question;
  if (grants.isEmpty) return NO_ROWS;
  const isNew = isForNewRow(question);
  const rows: IdCondition[][] = [];
  for (const link of grantSources) {
    const ids = grants.allowedIds(link.type, permission, toKey);
    // If a route needs a permission that grants cannot give, grants do not open the route. The exception is
    // `manage_users`: a grant on a user also opens the routes that manage this user.
    const isOfUser = link.type === 'user' && rule.permission === MANAGE_USERS;
    if (ids.size === 0 || link.deniesOnly || (permission !== rule.permission && !isOfUser)) continue;
    const named = findIdInPath(link, question);
    if (named === undefined) {
      if (!isNew) rows.push([toIdCondition(link, ids)]);
    } else if (ids.has(named)) return null;
  }
  return rows;
}

/**
 * Returns the rows that `deny` grants exclude.
 * @throws ApiError `PERMISSION_DENIED` if the path contains the id of a denied resource
 */
function findDeniedRows(question: AccessRequest): readonly IdCondition[] {
  const { grantSources, grants, permission } = question;
  const isNew = isForNewRow(question);
  return grantSources.flatMap((link) => {
    const ids = grants.deniedIds(link.type, permission);
    const named = findIdInPath(link, question);
    if (named !== undefined && ids.has(named)) throw permissionDeniedByGrant(permission);
    return named === undefined && !isNew && ids.size > 0 ? toIdCondition(link, ids) : [];
  });
}

function isForNewRow({ permission, grantSources, params, hasRow }: AccessRequest): boolean {
  if (permission !== 'create' || hasRow) return false;
  return !grantSources.some(
    ({ property, parameter }) => property === 'id' && params[parameter] !== undefined,
  );
}

/**
 * Returns the id of the granted resource from the path, or `undefined` if the path does not contain it. For the
 * parameter `CALLER`, returns the user id of the caller. For an anonymous caller, this is NaN, which matches no grant.
 * @throws ApiError `INVALID_ID`
 */
function findIdInPath({ parameter }: GrantSource, { params, principal }: AccessRequest): number | undefined {
  if (parameter === CALLER) return principal.userId ?? Number.NaN;
  const text = params[parameter];
  return text === undefined ? undefined : parseId(text, parameter);
}

const toIdCondition = ({ property }: GrantSource, ids: Ids): IdCondition => ({
  property,
  ids: [...ids].sort((a, b) => a - b),
});
