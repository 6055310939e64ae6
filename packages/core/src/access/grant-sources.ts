import { routePolicy } from '../routes/route-policy.js';
import { ResourceType } from '../config/define-access.js';
import type { FieldClass } from '../fields/field.js';

/**
 * Declares that grants on a type of resource apply to a route, and where the route finds the id of the granted
 * resource: in a path parameter, and in a property of each row. The granted resource is the resource of the route
 * itself or its parent, such as the product of a review.
 */
export interface GrantSource {
  readonly type: ResourceType;
  /**
   * The path parameter with the id of the granted resource. A route may lack this parameter. `CALLER` means the id of
   * the calling user.
   */
  readonly parameter: string;
  /** The property of a row with the id of the granted resource. For the resource of the route itself, it is `id`. */
  readonly property: string;
  /** If true, only `deny` grants apply, and `allow` grants have no effect. */
  readonly deniesOnly?: boolean;
  /** If set, `property` refers to a row of this entity, and the row belongs to the granted resource by `source`. */
  readonly parent?: { readonly entity: FieldClass; readonly source: GrantSource };
}

/**
 * Replaces, on one route, the grant sources that the resource declares.
 *
 * Do not use it if all routes of a resource have the same sources: declare `grants` in `@Resource()` instead.
 * @example @GrantSources(grantsOn('user', CALLER))
 */
export const GrantSources = (...grants: GrantSource[]): MethodDecorator => routePolicy({ grants });

/**
 * Means the id of the calling user, in place of the name of a path parameter. Use it on a route whose path does not
 * contain the id of the user.
 * @example @GrantSources(grantsOn('user', CALLER))
 */
export const CALLER = '@caller';

/**
 * Makes grants on a resource apply to its own routes.
 * @param parameter the path parameter with the id of the resource
 * @example grants: [grantsOn('product')]
 */
export const grantsOn = (type: ResourceType, parameter = 'id'): GrantSource =>
  grantsOnParent(type, 'id', parameter);

/**
 * Makes grants on a parent resource apply to its child rows, such as grants on a product to the reviews of the product.
 * @param property the property of a child row that contains the id of the parent
 * @param parameter the path parameter that contains the id of the parent. Defaults to the name of the property
 * @example grants: [grantsOn('review'), grantsOnParent('product', 'productId')]
 */
export const grantsOnParent = (type: ResourceType, property: string, parameter = property): GrantSource => ({
  type,
  parameter,
  property,
});

/**
 * Makes `deny` grants on a parent resource apply to its child rows. Unlike with `grantsOnParent()`, `allow` grants have
 * no effect. Use it for rows that only their owner may ever read, such as credentials.
 * @example grants: [denialsOnParent('user', 'userId', CALLER)]
 */
export const denialsOnParent = (type: ResourceType, property: string, parameter = property): GrantSource => ({
  ...grantsOnParent(type, property, parameter),
  deniesOnly: true,
});

/**
 * Makes all grants that apply to a parent row apply to its child rows, too, to any depth. For example, a grant on a
 * product applies to its reviews, and then to the pictures of its reviews.
 *
 * A grant that allows `create` opens only routes whose path contains the id of the granted resource.
 * @param parent the resource of the parents, with its `grants`
 * @param property the property of a child row that contains the id of its parent
 * @param parameter the path parameter that contains the id of the parent. Defaults to the name of the property
 * @example grants: grantsOf(REVIEWS, 'reviewId')
 */
export const grantsOf = (
  { entity, grants = [] }: { readonly entity: FieldClass; readonly grants?: readonly GrantSource[] },
  property: string,
  parameter = property,
): GrantSource[] =>
  grants.map((source) =>
    source.property === 'id'
      ? { ...source, property, parameter }
      : { ...source, property, parameter: NOT_IN_PATH, parent: { entity, source } },
  );

/** No path parameter has this name. */
const NOT_IN_PATH = '';
