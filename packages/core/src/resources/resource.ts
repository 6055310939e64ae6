import { GrantSource } from '../access/grant-sources.js';
import type { Rows } from '../access/row-limits.js';
import { Dto, FieldClass } from '../fields/field.js';
import { CachePolicy } from '../http/caching/cache-policy.js';
import { ErrorType } from '../http/errors/define-errors.js';
import type { ResourceEntity } from './resource.entity.js';

export type VersionedRow = Readonly<ResourceEntity>;

/**
 * Identifies a row: by its id, or by its id together with other values that the row must have. If the row has different
 * values, it is not found. Use the second form if the path names a parent: `/products/1/reviews/9`.
 * @example await this.reviews.get({ id: 9, productId: 1 }, caller.scope);
 */
export type Key<Row extends { readonly id: number }> =
  | Row['id']
  | (Partial<Row> & { readonly id: Row['id'] });

/**
 * Declares a resource once, for its repository and for its controllers in every version of the API. `@Resource()` adds
 * the options that differ between versions.
 * @example
 * export const ORDERS: ResourceDefinition<Order> = {
 *   path: 'orders', entity: Order, notFound: ORDER_NOT_FOUND, grants: [grantsOn('order')],
 * };
 */
export interface ResourceDefinition<Row extends object = object> {
  /** The path under `/api/v<version>`. A controller may override it, for example with the path of a parent. */
  readonly path: string;
  /**
   * The name of one row in the documentation, such as `news-item` for `news`. By default, the regular singular of the
   * collection.
   */
  readonly singular?: string;
  /** A sentence that describes the resource in the documentation. */
  readonly description?: string;
  /** The TypeORM entity of a row. It extends `ResourceEntity`. */
  readonly entity: FieldClass<Row>;
  /** The 404 for a row that does not exist, or that the caller may not know about. */
  readonly notFound: ErrorType;
  /** The errors for violated constraints, by their names in the database. */
  readonly constraints?: Readonly<Record<string, ErrorType>>;
  /** How clients may cache responses to reads. By default, `PRIVATE_CACHE`. */
  readonly cache?: CachePolicy;
  /**
   * The resources whose grants apply to the routes: this resource, and the resources that it belongs to. By default, these are
   * the grants of the parents that `rowsOf()` names in `rows`. Otherwise, no grants apply.
   */
  readonly grants?: readonly GrantSource[];
  /**
   * The rows that concern a caller. All other rows do not exist for the caller, unless a grant allows them: no read, write,
   * list or reference finds them. By default, all rows concern every caller. If `defineAccess()` names `attributes`, every
   * resource must declare `rows`.
   * @example rows: ({ caller }) => caller.isStaff ? ALL_ROWS : { companyId: caller.attributes.companyId }
   */
  readonly rows?: Rows<Row>;
}

/** The part of a resource's definition that its repository needs. */
export type StoredResource<Row extends object> = Pick<
  ResourceDefinition<Row>,
  'entity' | 'notFound' | 'constraints' | 'grants' | 'rows'
> &
  Partial<Pick<ResourceDefinition<Row>, 'path'>>;

/** The options of `@Resource()`: the definition of the resource, and how one controller shows it. */
export interface ResourceOptions<Row extends object = object> extends ResourceDefinition<Row> {
  /**
   * The version of the API that the controller serves, or several versions. By default, it serves the versions in
   * `responseDto`, if that has one DTO for each version. Otherwise it serves the versions that other controllers name
   * or, if no controller names a version, all versions that the application declares.
   */
  readonly version?: string | string[];
  /**
   * The DTO of a row in responses, or one for each version: `{ 1: UserDto, 2: UserV2Dto }`. The entity tag of a row is
   * different for each DTO. In versions that are declared with `showsEntityTags`, responses also contain the entity tag
   * of each row as `etag`.
   */
  readonly responseDto: Dto | Readonly<Record<string, Dto>>;
  /**
   * Computes the response from a row. It is needed if `responseDto` has properties that are not columns. The result
   * must depend only on the row. Otherwise the response could change while the ETag stays the same.
   */
  // Method syntax makes parameters bivariant, so that `ResourceOptions<Product>` is assignable to `ResourceOptions`.
  readonly map?: { map(row: Row): object }['map'];
  /** The name of the collection in the documentation. By default, the last word of the path. */
  readonly collection?: string;
}

/** Returns the name of a collection in the documentation: `order-items`. */
export function collectionName({ collection, path }: Pick<ResourceOptions, 'collection' | 'path'>): string {
  return collection ?? path.slice(path.lastIndexOf('/') + 1);
}
