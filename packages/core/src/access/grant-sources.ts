import { routePolicy } from '../routes/route-policy.js';
import { ResourceType } from '../config/define-access.js';

/** How a route leads to a resource that grants can be about: to the resource itself, or to what it belongs to. */
export interface GrantSource {
  readonly type: ResourceType;
  /** The path parameter that holds the resource's id, on the routes that have it; `CALLER`: it is the caller. */
  readonly parameter: string;
  /** The property of a row that holds the resource's id: `id` for the resource itself. */
  readonly property: string;
  /** Grants hide what belongs to the resource, and open none of it. */
  readonly deniesOnly?: boolean;
}

/**
 * The resources whose grants decide on a route, where they are not those of its controller.
 * @example @GrantSources(grantsOn('user', CALLER))
 */
export const GrantSources = (...grants: GrantSource[]): MethodDecorator => routePolicy({ grants });

/** In place of a path parameter: the resource is the user who calls. */
export const CALLER = '@caller';

/** Grants on the resource itself. @example grants: [grantsOn('product')] */
export const grantsOn = (type: ResourceType, parameter = 'id'): GrantSource =>
  grantsOnParent(type, 'id', parameter);

/**
 * Grants on what the resource belongs to, whose id is in a property of a row and a parameter of the path.
 * @example grants: [grantsOn('review'), grantsOnParent('product', 'productId')]
 */
export const grantsOnParent = (type: ResourceType, property: string, parameter = property): GrantSource => ({
  type,
  parameter,
  property,
});

/**
 * Grants that hide what the resource belongs to, and never open it: what is its owner's alone, such as credentials.
 * @example grants: [denialsOnParent('user', 'userId', CALLER)]
 */
export const denialsOnParent = (type: ResourceType, property: string, parameter = property): GrantSource => ({
  ...grantsOnParent(type, property, parameter),
  deniesOnly: true,
});
