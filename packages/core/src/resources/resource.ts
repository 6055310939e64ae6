import { GrantSource } from '../access/grant-sources.js';
import { Dto, FieldClass } from '../fields/field.js';
import { CachePolicy } from '../http/caching/cache-policy.js';
import { ErrorType } from '../http/errors/define-errors.js';
import { RoutePolicy } from '../http/route-policy.js';
import type { ResourceEntity } from './resource.entity.js';

export type VersionedRow = Readonly<ResourceEntity>;

/** Names a row: its id, or the id with other properties that the row must have: `{ id: 9, productId: 1 }`. */
export type Key<Row extends { readonly id: number }> =
  | Row['id']
  | (Partial<Row> & { readonly id: Row['id'] });

/** A resource in every version of the API: its repository and its controllers take it. */
export interface ResourceDefinition<Row extends object = object> {
  /** Under `/api/v<version>`. A controller of another path gives its own. */
  readonly path: string;
  /** The documentation's name for one of its rows, `news-item` of `news`; left out: the singular of the collection. */
  readonly singular?: string;
  /** The description of its group of operations in the documentation, as a sentence. */
  readonly description?: string;
  readonly entity: FieldClass<Row>;
  readonly notFound: ErrorType;
  readonly constraints?: Readonly<Record<string, ErrorType>>;
  /** @deprecated It has no effect any more: examples are those of the fields. */
  readonly createdExample?: Partial<Row>;
  /** How responses to reads may be cached; `PRIVATE_CACHE` where it is left out. */
  readonly cache?: CachePolicy;
  readonly grants?: readonly GrantSource[];
}

/** The part of a resource's definition that its repository takes. */
export type StoredResource<Row extends object> = Pick<
  ResourceDefinition<Row>,
  'entity' | 'notFound' | 'constraints'
>;

export interface ResourceOptions<Row extends object = object> extends ResourceDefinition<Row> {
  readonly version: string | string[];
  /**
   * The DTO that responses show of a row, or one for each version: `{ 1: UserDto, 2: UserV2Dto }`. Entity tags tell
   * them apart. From version 2 on, responses show the entity tag of each row as well, as `etag`.
   */
  readonly responseDto: Dto | Readonly<Record<string, Dto>>;
  /** Makes what is shown of a row, where `shows` has more than the row. Its result depends on the row alone. */
  // Method syntax, so that parameters are bivariant: the options of one resource are options of any.
  readonly map?: { map(row: Row): object }['map'];
  /** The name of the collection in the documentation, where the last word of the path is not it. */
  readonly collection?: string;
}

declare module '../http/route-policy.js' {
  interface RoutePolicy {
    resource?: ResourceOptions;
    /** The path of the route under that of its resource: `''`, `':id'`. */
    pathInResource?: string;
  }
}

export function collectionName({ collection, path }: Pick<ResourceOptions, 'collection' | 'path'>): string {
  return collection ?? path.slice(path.lastIndexOf('/') + 1);
}

/** Endings of regular plurals, and of their singulars; the first that fits decides. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/ies$/, 'y'],
  [/(ss|sh|ch|x|zz|[^o]us)es$/, '$1'],
  [/([^s])s$/, '$1'],
];

/** The regular singular of a collection: `order-items` → `order-item`. */
export function toSingular(collection: string): string {
  const ending = ENDINGS.find(([plural]) => plural.test(collection));
  return ending ? collection.replace(...ending) : collection;
}

/** Says one of a collection in words: `order item` of `order-items`. @throws Error where resources declare several */
export function nounFinder(policies: Iterable<RoutePolicy>): (collection: string) => string {
  const resources = [...policies].flatMap(({ resource }) => resource ?? []);
  return (collection) => {
    const called = resources.flatMap((one) =>
      collectionName(one) === collection ? (one.singular ?? []) : [],
    );
    const [singular = toSingular(collection), other] = new Set(called);
    if (other)
      throw new Error(`One of the ${collection} is called ${singular} by a resource, ${other} by another`);
    return singular.replaceAll('-', ' ');
  };
}

/** `product` → `a product`, `order` → `an order`. */
export function withArticle(noun: string): string {
  return `${/^(?:[aeio]|u(?!ni|s[ei]))/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
