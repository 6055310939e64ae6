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
import { permissionsOf, STAFF_ROLES } from '../config/define-access.js';
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

/** Whether a caller may do something, and with which rows, as far as the request alone can tell. */
export interface AccessRequest {
  readonly principal: Principal;
  readonly rule: PermissionRule;
  readonly permission: GrantedPermission;
  readonly grantSources: readonly GrantSource[];
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly grants: Grants;
  /** Whether there is a row to judge. Left out: of what is created there is none yet, unless the path names it. */
  readonly hasRow?: boolean;
  /** The rule of the route that reads such a row. Without one, rows are readable as far as `read` goes by `rule`. */
  readonly findReadRule?: () => RoutePolicy['access'];
}

/**
 * The rows with which a caller may do what a request asks for. A grant denies the rows in `except`. The caller may use only
 * rows that match `anyOf`. If `anyOf` has no alternatives, no row of the kind is allowed.
 */
export interface AccessScope extends RowFilter {
  /** The caller, or `null` for the service's own work. */
  readonly principal: Principal | null;
  readonly permission: GrantedPermission;
  /** The rows that the caller may know of. No response may reveal whether any other row exists. */
  readonly readable: Alternatives;
  /** The owner as whom the caller sees rows, or `''` if the owner does not matter. Cursors are valid for one owner only. */
  readonly owner: string;
}

/** Every row: the scope of a caller without limits, and of the service's own work. */
export const EVERYTHING: AccessScope = Object.freeze({
  principal: null,
  permission: 'read',
  except: NO_ROWS,
  anyOf: null,
  readable: null,
  owner: '',
});

/**
 * Decides a request by its caller, its path and the grants: deny beats allow beats role, and a denied `read` denies
 * everything. An API key may do what its permissions hold or its own grants allow, as far as its owner may.
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
  // A caller who manages users may know of them without `read`.
  const permission = rule.permission === 'manage_users' ? rule.permission : 'read';
  const reading = findReadRule?.() ?? { ...rule, permission };
  return reading.isPublic ? null : findPermittedRows({ ...question, permission: 'read', rule: reading });
}

/** Whether a caller may know of a row. @throws ApiError `PERMISSION_DENIED` if they may, but not do what they ask for */
export function isInScope(scope: AccessScope, row: object): boolean {
  const { principal, permission, anyOf, readable } = scope;
  const isAllowed = matchesAnyAlternative(anyOf, row);
  if (!isAllowed && !matchesAnyAlternative(readable, row)) return false;
  if (matchesException(scope, row)) throw permissionDeniedByGrant(permission);
  if (!isAllowed) throw permissionDenied(principal, permission, true);
  return true;
}

/** The rows on which a caller may do what is asked, what is denied left aside. */
function findPermittedRows(question: AccessRequest): Alternatives {
  const { principal, permission, rule } = question;
  const { permissions, role } = principal;
  const isForRole = !rule.staff || STAFF_ROLES.includes(role);
  // To a key, `manage_users` opens only what the key may do by the permission of the method.
  const isHeld =
    principal.kind !== 'api-key' || rule.permission !== 'manage_users' || permissions.has(permission);
  if (isForRole && isHeld && permissions.has(rule.permission)) return null;
  const own = findOwnRows(question);
  const opened = findAllowedRows(question, false);
  if (principal.kind !== 'api-key') return union(own, opened);
  // A key may use its owner's rows as far as its permissions go, and the rows that its own grants open.
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
  // A new row belongs to the caller. If no property names the owner, the service decides.
  if (ownerField === true || isForNewRow(question)) return null;
  return [[{ property: ownerField, ids: [principal.userId] }]];
}

/** The rows that grants open: all where the path names one of their resources, else those that lead to one. */
function findAllowedRows(question: AccessRequest, toKey: boolean): Alternatives {
  const { grants, grantSources, permission, rule } = question;
  if (grants.isEmpty) return NO_ROWS;
  const isNew = isForNewRow(question);
  const rows: IdCondition[][] = [];
  for (const link of grantSources) {
    const ids = grants.allowedIds(link.type, permission, toKey);
    // It gives what its permission would give by role, and of a user what managers of users may do.
    const isOfUser = link.type === 'user' && rule.permission === 'manage_users';
    if (ids.size === 0 || link.deniesOnly || (permission !== rule.permission && !isOfUser)) continue;
    const named = findIdInPath(link, question);
    if (named === undefined) {
      if (!isNew) rows.push([toIdCondition(link, ids)]);
    } else if (ids.has(named)) return null;
  }
  return rows;
}

/** The rows that are denied, by the links that the path leaves open. @throws ApiError where one that it names is denied */
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

/** The id by which a path names a resource; NaN: none; `undefined`: it leaves it open. @throws ApiError `INVALID_ID` */
function findIdInPath({ parameter }: GrantSource, { params, principal }: AccessRequest): number | undefined {
  if (parameter === CALLER) return principal.userId ?? Number.NaN;
  const text = params[parameter];
  return text === undefined ? undefined : parseId(text, parameter);
}

const toIdCondition = ({ property }: GrantSource, ids: Ids): IdCondition => ({
  property,
  ids: [...ids].sort((a, b) => a - b),
});
