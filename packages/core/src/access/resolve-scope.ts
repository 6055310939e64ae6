import { Alternatives, RowCondition, RowFilter } from '../database/row-filter.js';
import { parseId } from '../fields/parse-id.pipe.js';
import type { RoutePolicy } from '../routes/route-policy.js';
import { permissionDeniedByGrant } from './access.errors.js';
import { AccessScope, EVERYTHING } from './access-scope.js';
import { CALLER, GrantSource } from './grant-sources.js';
import { GrantedPermission, Grants, Ids } from './grants.js';
import { MANAGE_USERS, permissionsOf, STAFF_ROLES } from '../config/define-access.js';
import { Principal } from './principal.js';
import { PermissionRule } from './require-permission.decorator.js';
import {
  findUserEntity,
  grantSourcesOf,
  hasRowLimits,
  LimitedResource,
  resolveRowLimit,
} from './row-limits.js';

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
  /** The resource of the rows. Its `rows` limit the caller. */
  readonly resource?: LimitedResource;
}

/** A request, with the rows of the resource that concern the caller. */
interface LimitedRequest extends AccessRequest {
  readonly limit: Alternatives;
}

/**
 * Returns the rows on which a caller may perform an action. The result depends on the caller's role or API key, on the
 * path and on the grants. A `deny` grant overrides an `allow` grant, and every grant overrides the role. A grant that
 * denies `read` denies all other permissions too. An API key may do what its permissions or its own grants allow, but
 * no more than its owner may do.
 * @throws ApiError `PERMISSION_DENIED` if a grant denies the resource whose id is in the path
 */
export function resolveAccessScope(request: AccessRequest): AccessScope {
  const { principal, rule, permission, grants, resource } = request;
  const limit = resource ? resolveRowLimit(resource, principal) : null;
  const question = { ...request, limit };
  const except = grants.isEmpty ? NO_ROWS : findDeniedRows(question);
  const coversLimit = isPermittedByRole(question);
  const anyOf = findPermittedRows(question);
  if (anyOf === null && except.length === 0 && !hasRowLimits()) return EVERYTHING;
  const readable = anyOf === null || permission === 'read' ? anyOf : findReadableRows(question);
  const ownRows = anyOf !== null && typeof rule.ownerField === 'string' ? String(principal.userId) : '';
  const owner = limit === null ? ownRows : `${ownRows} ${JSON.stringify(limit)}`;
  const rows = resource?.rows;
  return Object.freeze({
    ...{ principal, permission, except, anyOf, readable, owner },
    ...{ limit, coversLimit, rows, grants },
  });
}

/** Returns the rows that everybody may use on a public route: those that `rows` of the resource selects for the caller. */
export function resolvePublicScope(
  resource: AccessRequest['resource'],
  principal: Principal | null,
): AccessScope {
  const limit = resource ? resolveRowLimit(resource, principal) : null;
  if (limit === null && !hasRowLimits()) return EVERYTHING;
  const owner = limit === null ? '' : JSON.stringify(limit);
  return Object.freeze({
    ...EVERYTHING,
    ...{ principal, anyOf: limit, readable: limit, owner, limit, rows: resource?.rows },
  });
}

/**
 * Returns the rows of another resource to which a caller may refer in a row that they write: those that concern them, their
 * own user, and those that grants allow them to read, or to act on with the permission of the write, except those that they
 * may not read.
 * @param owning if the row would belong to the other row, the grant sources that open rows by it. Then grants count only with
 *   the permission of the write: a grant to read a ticket does not allow to comment on it, and one that denies `create` forbids it
 */
export function findReferableRows(
  resource: LimitedResource,
  { principal, permission, grants }: AccessScope,
  owning?: readonly GrantSource[],
): RowFilter {
  const rows = resolveRowLimit(resource, principal);
  const isOfUsers = resource.entity === findUserEntity();
  const limit =
    isOfUsers && principal?.userId ? union(rows, [[{ property: 'id', ids: [principal.userId] }]]) : rows;
  if (!principal || grants.isEmpty) return { anyOf: limit, except: NO_ROWS };
  const question = {
    ...{ principal, permission, grants, limit, params: {}, hasRow: true },
    rule: { isPublic: false, permission },
    grantSources: grantSourcesOf(resource),
  } as const;
  const reading = { ...question, permission: 'read', rule: { isPublic: false, permission: 'read' } } as const;
  const questions = owning ? [{ ...question, grantSources: owning }] : [question, reading];
  const opened = questions.map((one) => findOpenedRows(one, limit));
  const denied = owning ? findDeniedRows({ ...question, grantSources: owning }) : NO_ROWS;
  return { anyOf: limit && union(limit, ...opened), except: [...findDeniedRows(reading), ...denied] };
}

function findReadableRows(question: LimitedRequest): Alternatives {
  const { rule, findReadRule } = question;
  // On a route that needs `manage_users`, this permission also lets the caller know about the rows. The caller does not
  // need `read`.
  const permission = rule.permission === MANAGE_USERS ? rule.permission : 'read';
  const reading = findReadRule?.() ?? { ...rule, permission };
  return reading.isPublic
    ? question.limit
    : findPermittedRows({ ...question, permission: 'read', rule: reading });
}

/**
 * Returns the rows that the caller may use by their role, API key, ownership or `allow` grants. It ignores `deny`
 * grants.
 */
function findPermittedRows(question: LimitedRequest): Alternatives {
  const { principal, permission, rule, limit } = question;
  const { permissions, role } = principal;
  const isForRole = !rule.staff || STAFF_ROLES.includes(role);
  if (isPermittedByRole(question)) return limit && union(limit, findOpenedRows(question, limit));
  const own = intersection(findOwnRows(question), limit);
  if (principal.kind !== 'api-key') return union(own, findOpenedRows(question, null));
  // If the key has the permission, it may use the rows that its owner owns.
  return union(
    permissions.has(rule.ownerField === undefined ? permission : rule.permission) ? own : NO_ROWS,
    findOpenedRows(question, isForRole && permissionsOf(role).has(rule.permission) ? limit : own),
  );
}

/** Whether the caller may use all rows that concern them, because of their role or API key. */
function isPermittedByRole({ principal, permission, rule }: AccessRequest): boolean {
  const { permissions, role, kind } = principal;
  const isForRole = !rule.staff || STAFF_ROLES.includes(role);
  // On a route that needs `manage_users`, an API key also needs the permission of the HTTP method, such as `update`.
  const isHeld = kind !== 'api-key' || rule.permission !== MANAGE_USERS || permissions.has(permission);
  return isForRole && isHeld && permissions.has(rule.permission);
}

/**
 * Returns the rows that `allow` grants permit. If an API key has the permission, it may use the rows that grants to its owner
 * allow. It may also use the rows that grants to the key itself allow, if its owner may use them.
 * @param ofOwner the rows that the owner of an API key may use without grants
 */
function findOpenedRows(question: LimitedRequest, ofOwner: Alternatives): Alternatives {
  const { principal, permission } = question;
  const opened = findAllowedRows(question, false);
  if (principal.kind !== 'api-key') return opened;
  return union(
    principal.permissions.has(permission) ? opened : NO_ROWS,
    intersection(findAllowedRows(question, true), ofOwner && union(ofOwner, opened)),
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
 * Returns the rows that `allow` grants to the user or the API key permit. If the path contains the id of a granted resource,
 * these are all rows (`null`), or, if `rows` limits the caller, the rows that belong to it. Otherwise, these are the rows that
 * belong to a granted resource.
 * @param toKey whether to use the grants to the API key itself. If false, the grants to the user are used
 */
function findAllowedRows(question: LimitedRequest, toKey: boolean): Alternatives {
  const { grants, grantSources, permission, rule, limit } = question;
  if (grants.isEmpty) return NO_ROWS;
  const isNew = isForNewRow(question);
  const rows: RowCondition[][] = [];
  for (const link of grantSources) {
    const ids = grants.allowedIds(link.type, permission, toKey);
    // If a route needs a permission that grants cannot give, grants do not open the route. The exception is
    // `manage_users`: a grant on a user also opens the routes that manage this user.
    const isOfUser = link.type === 'user' && rule.permission === MANAGE_USERS;
    if (ids.size === 0 || link.deniesOnly || (permission !== rule.permission && !isOfUser)) continue;
    const named = findIdInPath(link, question);
    if (named === undefined) {
      if (!isNew) rows.push([toCondition(link, ids)]);
    } else if (ids.has(named)) {
      if (limit === null) return null;
      rows.push([{ property: link.property, ids: [named] }]);
    }
  }
  return rows;
}

/**
 * Returns the rows that `deny` grants exclude.
 * @throws ApiError `PERMISSION_DENIED` if the path contains the id of a denied resource
 */
function findDeniedRows(question: AccessRequest): readonly RowCondition[] {
  const { grantSources, grants, permission } = question;
  const isNew = isForNewRow(question);
  return grantSources.flatMap((link) => {
    const ids = grants.deniedIds(link.type, permission);
    const named = findIdInPath(link, question);
    if (named !== undefined && ids.has(named)) throw permissionDeniedByGrant(permission);
    return named === undefined && !isNew && ids.size > 0 ? toCondition(link, ids) : [];
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

function toCondition({ property, parent }: GrantSource, ids: Ids): RowCondition {
  if (parent)
    return { property, parent: { entity: parent.entity, anyOf: [[toCondition(parent.source, ids)]] } };
  return { property, ids: [...ids].sort((a, b) => a - b) };
}
