import { RoutePolicy } from '../http/route-policy.js';
import { collectionName } from './resource.js';

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
