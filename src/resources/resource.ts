import { applyDecorators, Controller } from '@nestjs/common';

import { GrantLink } from '../access/grant-links.js';
import { GrantedPermission } from '../access/grants.js';
import { Permission } from '../access/permissions.js';
import { Principal } from '../access/principal.js';
import { RequirePermissionOptions } from '../access/require-permission.decorator.js';
import { Connection } from '../database/connection.js';
import { Dto, Fields } from '../fields/field.js';
import { CachePolicy } from '../http/caching/cache-policy.js';
import { ErrorType } from '../http/errors/catalogue.js';
import { ListDefinition } from '../lists/list-definition.js';
import { declareSingular } from './words.js';

/** Who may read, create, update or delete a resource: see `@RequirePermission()`. */
export interface ResourceAccess extends RequirePermissionOptions {
  /** The permission that it takes; left out: the one of the method. */
  readonly permission?: Permission;
}

/**
 * Asserts what must be true of the caller beyond what access by role, path and grants tells: what the database says
 * now.
 *
 * @param caller `null`: nobody, on a route that is open to everybody
 * @param tx the transaction of the write
 * @param body as the method gets it
 * @throws ApiError where the caller may not do it
 */
// As of a method: what takes the class of its body, or somebody as the caller, is one.
export type AssertCaller = {
  assert(caller: Principal | null, tx: Connection, body: object): Promise<void>;
}['assert'];

export interface CreateAccess extends ResourceAccess {
  /**
   * Runs in the transaction of each POST, before the method does, and before a stored response is given again: the
   * caller may have lost a permission since. A POST that has it always runs in a transaction.
   *
   * @example access: { create: { permission: 'manage_users', assert: assertManagesUsers } }
   */
  readonly assert?: AssertCaller;
}

/** The parent of the rows of a nested resource, and the path parameter that names it. */
export interface Parent {
  /** The resource of the parent: where the list of its rows is empty, its table says whether it exists. */
  readonly of: Pick<ResourceDefinition, 'entity' | 'notFound'>;
  /** The property of a row that holds its id. */
  readonly property: string;
  /** The path parameter that names it; left out: `property`. */
  readonly parameter?: string;
  /** The parent's own parent: both kinds of rows hold the id of that in the same property. */
  readonly parent?: Parent;
}

/** A resource in every version of the API: its repository and its controllers take it. */
export interface ResourceDefinition<Row extends object = object> {
  /** Under `/api/v<version>`. A controller of another path gives its own. */
  readonly path: string;
  /**
   * The documentation's name for one of its rows, written like the path: `news-item` of `news`. Left out: the singular
   * of the collection.
   */
  readonly singular?: string;
  /** The description of its group of operations in the documentation, as a sentence. */
  readonly description?: string;
  readonly entity: Fields<Row>;
  /** The error for a row that does not exist. */
  readonly notFound: ErrorType;
  /** The errors for violated constraints, by the constraint's name. */
  readonly constraints?: Readonly<Record<string, ErrorType>>;
  /** The filters and sorts of its lists. */
  readonly list?: ListDefinition;
  /**
   * Values of a new row in the documentation, beside those that its body sets, where the examples of the fields are of
   * a row that has been there for a while.
   *
   * @example exampleWhenNew: { rating: null, reviewCount: 0 }
   */
  readonly exampleWhenNew?: Partial<Row>;
  /** How what is read of it may be cached; `PERSONAL` where it is left out. */
  readonly cache?: CachePolicy;
  /** The resources whose grants decide on its routes. */
  readonly grants?: readonly GrantLink[];
  /** Who may do what with it, where that is not whoever has the permission of the method. */
  readonly access?: Partial<Record<GrantedPermission, ResourceAccess>> & { readonly create?: CreateAccess };
}

/** The options of the routes of one controller. */
export interface ResourceOptions<Row extends object = object> extends ResourceDefinition<Row> {
  readonly version: string | string[];
  /** The DTO that is shown of a row. Entity tags tell it from those of other versions. */
  readonly of: Dto;
  /**
   * Makes what is shown of a row, where `of` has more than the row: a new object that depends on the row alone.
   * Requests share it, and the entity tag stands for it.
   */
  readonly show?: (row: Row) => object;
  /**
   * The parent of its rows, by the path. `@PathKey()` and `@ListQuery()` keep to it, `@BelongsTo()` gives it to new
   * rows, and the list of one that does not exist is its 404. Parameters of `grants` and `access` follow from it.
   *
   * @example
   * { ...REVIEWS, path: 'products/:id/reviews', parent: { of: PRODUCTS, property: 'productId', parameter: 'id' } }
   */
  readonly parent?: Parent;
  /** The name of the collection in the documentation, where the last word of the path is not it. */
  readonly collection?: string;
}

declare module '../http/route-policy.js' {
  interface RoutePolicy {
    /** Values in the example of the response, in place of the examples of its fields. */
    example?: object;
    /** The description of the group of operations that the route is in. */
    groupDescription?: string;
  }
}

const RESOURCE = Symbol('resource');

/**
 * A controller of the routes of one resource. Each route is an ordinary one that returns a row, a page or nothing. Its
 * permission, status, summary, errors, caching and idempotency follow from these options, its method and its path; an
 * ordinary decorator on the route overrides each.
 *
 * @example
 * @Resource({ ...PRODUCTS, version: '1', of: ProductDto })
 * export class ProductsController {
 *   @Get(':id')
 *   get(@PathId() id: number) {
 *     return this.products.get(id);
 *   }
 * }
 */
export function Resource<Row extends object>(options: ResourceOptions<Row>): ClassDecorator {
  const { path, version, singular } = options;
  const collection = collectionOf(options);
  if (singular !== undefined) declareSingular(collection, singular);
  const tag = collection.charAt(0).toUpperCase() + collection.slice(1).replaceAll('-', ' ');
  return applyDecorators(Controller({ path, version }), (controller: object) => {
    Reflect.defineMetadata(RESOURCE, options, controller);
    // `@ApiTags()` adds to the tags of the controller that this one extends.
    Reflect.defineMetadata('swagger/apiUseTags', [tag], controller);
  });
}

/** The options of a controller's own `@Resource()`; `undefined`: it has none. */
export function resourceOf(controller: object): ResourceOptions | undefined {
  return Reflect.getOwnMetadata(RESOURCE, controller) as ResourceOptions | undefined;
}

/** The name of a collection: the last word of its path. */
export function collectionOf({ collection, path }: Pick<ResourceOptions, 'collection' | 'path'>): string {
  return collection ?? path.slice(path.lastIndexOf('/') + 1);
}
