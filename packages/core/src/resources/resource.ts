import { GrantSource } from '../access/grant-sources.js';
import { Dto, FieldClass } from '../fields/field.js';
import { CachePolicy } from '../http/caching/cache-policy.js';
import { ErrorType } from '../http/errors/define-errors.js';
import type { ResourceEntity } from './resource.entity.js';

export type VersionedRow = Readonly<ResourceEntity>;

/** Identifies a row: by its id, or by its id and other values that the row must have: `{ id: 9, productId: 1 }`. */
export type Key<Row extends { readonly id: number }> =
  | Row['id']
  | (Partial<Row> & { readonly id: Row['id'] });

/** The declaration of a resource, shared by its repository and its controllers in every version of the API. */
export interface ResourceDefinition<Row extends object = object> {
  /** The path under `/api/v<version>`. A controller on another path overrides it. */
  readonly path: string;
  /** The name of one row in the documentation, such as `news-item` for `news`. By default, the regular singular. */
  readonly singular?: string;
  /** A sentence that describes the resource in the documentation. */
  readonly description?: string;
  readonly entity: FieldClass<Row>;
  /** The 404 for a row that does not exist, or that the caller may not know of. */
  readonly notFound: ErrorType;
  /** The errors for violated constraints, by the name of the constraint in the database. */
  readonly constraints?: Readonly<Record<string, ErrorType>>;
  /** How clients may cache responses to reads. By default, `PRIVATE_CACHE`. */
  readonly cache?: CachePolicy;
  readonly grants?: readonly GrantSource[];
}

/** The part of a resource's definition that its repository needs. */
export type StoredResource<Row extends object> = Pick<
  ResourceDefinition<Row>,
  'entity' | 'notFound' | 'constraints'
>;

export interface ResourceOptions<Row extends object = object> extends ResourceDefinition<Row> {
  readonly version: string | string[];
  /**
   * The DTO of a row in responses, or one for each version: `{ 1: UserDto, 2: UserV2Dto }`. Each has entity tags of its
   * own. From version 2 on, responses also show the entity tag of each row as `etag`.
   */
  readonly responseDto: Dto | Readonly<Record<string, Dto>>;
  /** Computes the response from a row, if `responseDto` has more than the row. Use nothing but the row: ETags rely on it. */
  // Method syntax, so that parameters are bivariant: the options of one resource are options of any.
  readonly map?: { map(row: Row): object }['map'];
  /** The name of the collection in the documentation. By default, the last word of the path. */
  readonly collection?: string;
}

export function collectionName({ collection, path }: Pick<ResourceOptions, 'collection' | 'path'>): string {
  return collection ?? path.slice(path.lastIndexOf('/') + 1);
}
