import { ListScope, ScopedIds } from '../lists/list-query.js';
import { GrantedPermission, Grants, ResourceType } from './grants.js';
import { Principal } from './principal.js';

/** How a row or a path leads to a resource that grants can be about: to itself, or to what it belongs to. */
export interface GrantLink {
  readonly type: ResourceType;
  /** The path parameter that holds the resource's id, on the routes that have it. */
  readonly param: string;
  /** The property of a row that holds the resource's id: `id` for the resource itself. */
  readonly property: string;
}

declare module '../http/route-policy.js' {
  interface RoutePolicy {
    /** The resources whose grants decide on the route. */
    grants?: readonly GrantLink[];
  }
}

/** A resource itself. @example policy: { grants: [grantsOn('product')] } */
export const grantsOn = (type: ResourceType, param = 'id'): GrantLink => ({ type, param, property: 'id' });

/** What a resource belongs to. @example policy: { grants: [grantsOn('review', 'reviewId'), grantsVia('product', 'productId')] } */
export const grantsVia = (type: ResourceType, property: string, param = property): GrantLink => ({
  type,
  param,
  property,
});

/** A question that a request asks of the grants of its caller. */
export interface GrantQuestion {
  readonly principal: Principal;
  readonly permission: GrantedPermission;
  readonly links: readonly GrantLink[];
  readonly params: Readonly<Record<string, string | undefined>>;
  /** Whether the role, or the key, allows it where no grant says otherwise. */
  readonly isAllowedByRole: boolean;
}

/** `scope`: the rows that may be read, where the path does not tell which they are; `undefined`: all. */
export type GrantDecision =
  { readonly isAllowed: false } | { readonly isAllowed: true; readonly scope?: ListScope };

/** Decides a request by the resources that its path names, and says which rows of others it may read. */
export function decide(grants: Grants, question: GrantQuestion): GrantDecision {
  const { principal, permission, links, params } = question;
  let isAllowed = question.isAllowedByRole;
  for (const link of links) {
    const id = Number(params[link.param]);
    if (!Number.isSafeInteger(id)) continue;
    if (isDenied(grants, link, permission, id)) return { isAllowed: false };
    isAllowed ||= grants.allowedIds(principal, link.type, permission).has(id);
  }
  if (permission !== 'read') return { isAllowed };
  const open = links.filter(({ param }) => params[param] === undefined);
  const rows = (idsOf: (type: ResourceType) => ReadonlySet<number>): ScopedIds[] =>
    open
      .map(({ type, property }) => ({ property, ids: [...idsOf(type)].sort((a, b) => a - b) }))
      .filter(({ ids }) => ids.length > 0);
  const except = rows((type) => grants.deniedIds(type, 'read'));
  if (isAllowed) return { isAllowed, scope: except.length > 0 ? { except, only: null } : undefined };
  const only = rows((type) => grants.allowedIds(principal, type, 'read'));
  return only.length > 0 ? { isAllowed: true, scope: { except, only } } : { isAllowed };
}

/** What hides a resource hides all that belongs to it, from every method. */
function isDenied(
  grants: Grants,
  { type, property }: GrantLink,
  permission: GrantedPermission,
  id: number,
): boolean {
  const isHidden = property !== 'id' && grants.deniedIds(type, 'read').has(id);
  return isHidden || grants.deniedIds(type, permission).has(id);
}
