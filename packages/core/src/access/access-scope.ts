import {
  Alternatives,
  MatchedParents,
  matchesAnyAlternative,
  matchesException,
  RowFilter,
} from '../database/row-filter.js';
import { permissionDenied, permissionDeniedByGrant } from './access.errors.js';
import { GrantedPermission, Grants, NO_GRANTS } from './grants.js';
import { Principal } from './principal.js';

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
   * The user id of the caller, if the scope is limited to rows that they own, and the rows that concern them, if
   * `rows` of the resource limits them; otherwise `''`. A list cursor is valid only for the owner for whom it was created.
   */
  readonly owner: string;
  /** The rows that `rows` of the resource selects for the caller. `null` means all rows. Grants may allow further rows. */
  readonly limit: Alternatives;
  /** Whether the caller may perform the action on every row of `limit`, because of their role or API key. */
  readonly coversLimit: boolean;
  /** The `rows` of the resource for which the scope was computed. A repository of another resource refuses the scope. */
  readonly rows: unknown;
  /** The grants of the caller. They decide to which rows of other resources the caller may refer. */
  readonly grants: Grants;
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
  except: Object.freeze([]),
  anyOf: null,
  readable: null,
  owner: '',
  limit: null,
  coversLimit: true,
  rows: undefined,
  grants: NO_GRANTS,
});

/**
 * Whether the caller may perform the action on a row. If the result is false, respond as if the row did not exist,
 * because the caller must not learn that it exists.
 * @param parents the conditions on parents that the row matches
 * @throws ApiError `PERMISSION_DENIED` if the caller is allowed to know about the row, but not to perform the action
 */
export function isInScope(scope: AccessScope, row: object, parents?: MatchedParents): boolean {
  const { principal, permission, anyOf, readable } = scope;
  const isAllowed = matchesAnyAlternative(anyOf, row, parents);
  if (!isAllowed && !matchesAnyAlternative(readable, row, parents)) return false;
  if (matchesException(scope, row, parents)) throw permissionDeniedByGrant(permission);
  if (!isAllowed) throw permissionDenied(principal, permission, true);
  return true;
}
