import { routePolicy } from '../routes/route-policy.js';
import { ResourceType } from '../config/define-access.js';

/**
 * Describes where the id of a resource is found whose grants apply to a route: in a parameter of the path, and in a property
 * of a row. The resource is that of the route, or one that it belongs to.
 */
export interface GrantSource {
  readonly type: ResourceType;
  /** The path parameter with the id of the resource, on routes that have it. `CALLER` stands for the calling user. */
  readonly parameter: string;
  /** The property of a row with the id of the resource. It is `id` for the resource of the route itself. */
  readonly property: string;
  /** Whether only grants that deny apply. Grants that allow then open nothing. */
  readonly deniesOnly?: boolean;
}

/**
 * Replaces the grant sources of the resource on one route.
 *
 * Do not use it if all routes of a resource have the same sources: declare `grants` of the resource instead.
 * @example @GrantSources(grantsOn('user', CALLER))
 */
export const GrantSources = (...grants: GrantSource[]): MethodDecorator => routePolicy({ grants });

/**
 * Stands for the id of the calling user, in place of a path parameter. Use it on a route whose path does not contain
 * the id.
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
 * Makes grants on a parent apply to what belongs to it, such as grants on a product to its reviews.
 * @param property the property of a row with the id of the parent
 * @param parameter the path parameter with the id of the parent. By default, named like the property
 * @example grants: [grantsOn('review'), grantsOnParent('product', 'productId')]
 */
export const grantsOnParent = (type: ResourceType, property: string, parameter = property): GrantSource => ({
  type,
  parameter,
  property,
});

/**
 * Makes only grants that deny a parent apply to what belongs to it. Use it for rows that nobody but their owner may ever
 * read, such as credentials.
 * @example grants: [denialsOnParent('user', 'userId', CALLER)]
 */
export const denialsOnParent = (type: ResourceType, property: string, parameter = property): GrantSource => ({
  ...grantsOnParent(type, property, parameter),
  deniesOnly: true,
});
