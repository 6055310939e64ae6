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

/** Everything that decides, before any row is read, whether a caller may do something and with which rows. */
export interface AccessRequest {
  readonly principal: Principal;
  readonly rule: PermissionRule;
  readonly permission: GrantedPermission;
  readonly grantSources: readonly GrantSource[];
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly grants: Grants;
  /** Whether the row exists. By default, a `create` has no row yet, unless the path names the row. */
  readonly hasRow?: boolean;
  /** Returns the rule of the route that reads such a row. By default, `rule` with the permission `read` applies. */
  readonly findReadRule?: () => RoutePolicy['access'];
}

/**
 * The rows with which a caller may do what a request asks for. The caller may use only rows that match `anyOf`, and none
 * that a grant denies (`except`). If `anyOf` is empty, the caller may use no row.
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
  /** The user id, if the caller sees only rows that they own; otherwise `''`. A cursor is valid for one owner only. */
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
 * Decides a request by its caller, its path and the grants. A grant that denies overrides one that allows, and any grant
 * overrides the role. A denied `read` denies everything. An API key may do what its permissions or its own grants
 * allow, but no more than its owner may.
 * @throws ApiError `PERMISSION_DENIED` if a grant denies a resource that the path names
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
  // A caller who may manage users may know about them without the permission `read`.
  const permission = rule.permission === MANAGE_USERS ? rule.permission : 'read';
  const reading = findReadRule?.() ?? { ...rule, permission };
  return reading.isPublic ? null : findPermittedRows({ ...question, permission: 'read', rule: reading });
}

/**
 * Whether a caller may know about a row.
 * @throws ApiError `PERMISSION_DENIED` if they may know about it, but may not do what they ask for
 */
export function isInScope(scope: AccessScope, row: object): boolean {
  const { principal, permission, anyOf, readable } = scope;
  const isAllowed = matchesAnyAlternative(anyOf, row);
  if (!isAllowed && !matchesAnyAlternative(readable, row)) return false;
  if (matchesException(scope, row)) throw permissionDeniedByGrant(permission);
  if (!isAllowed) throw permissionDenied(principal, permission, true);
  return true;
}

/** Returns the rows that the role, the key, ownership and grants open. It ignores grants that deny. */
function findPermittedRows(question: AccessRequest): Alternatives {
  const { principal, permission, rule } = question;
  const { permissions, role } = principal;
  const isForRole = !rule.staff || STAFF_ROLES.includes(role);
  // A key with `manage_users` also needs the permission of the HTTP method.
  const isHeld =
    principal.kind !== 'api-key' || rule.permission !== MANAGE_USERS || permissions.has(permission);
  if (isForRole && isHeld && permissions.has(rule.permission)) return null;
  const own = findOwnRows(question);
  const opened = findAllowedRows(question, false);
  if (principal.kind !== 'api-key') return union(own, opened);
  // A key may use its owner's rows if it has the permission, and the rows that its own grants open.
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
  // A new row belongs to the caller. If the rule names no property, the service checks the owner.
  if (ownerField === true || isForNewRow(question)) return null;
  return [[{ property: ownerField, ids: [principal.userId] }]];
}

/**
 * Returns the rows that grants open: all rows if the path names a resource that is granted, otherwise the rows that belong
 * to a granted resource.
 */
function findAllowedRows(question: AccessRequest, toKey: boolean): Alternatives {
  const { grants, grantSources, permission, rule } = question;
  if (grants.isEmpty) return NO_ROWS;
  const isNew = isForNewRow(question);
  const rows: IdCondition[][] = [];
  for (const link of grantSources) {
    const ids = grants.allowedIds(link.type, permission, toKey);
    // A grant opens what the same permission of a role opens. A grant on a user also opens what `manage_users` opens.
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
 * Returns the rows that grants deny.
 * @throws ApiError `PERMISSION_DENIED` if the path names a resource that is denied
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
 * Returns the id of a resource in the path, or `undefined` if the path does not name the resource. If the source is the
 * caller, returns their id, or NaN if they have none.
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
