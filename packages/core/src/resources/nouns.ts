import { RoutePolicy } from '../routes/route-policy.js';
import { collectionName } from './resource.js';

/** The endings of regular plurals, each with the ending of its singular. The first match is used. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/ies$/, 'y'],
  [/(ss|sh|ch|x|zz|[^o]us)es$/, '$1'],
  [/([^s])s$/, '$1'],
];

/** Returns the regular singular of a collection: `order-items` → `order-item`. */
export function toSingular(collection: string): string {
  const ending = ENDINGS.find(([plural]) => plural.test(collection));
  return ending ? collection.replace(...ending) : collection;
}

/**
 * Returns a function that names one item of a collection in words: `order item` for `order-items`.
 * @throws Error if resources declare different names for items of one collection
 */
export function nounFinder(policies: Iterable<RoutePolicy>): (collection: string) => string {
  const resources = [...policies].flatMap(({ resource }) => resource ?? []);
  return (collection) => {
    const called = resources.flatMap((one) =>
      collectionName(one) === collection ? (one.singular ?? []) : [],
    );
    const [singular = toSingular(collection), other] = new Set(called);
    if (other)
      throw new Error(`resources declare different singulars for ${collection}: ${singular} and ${other}`);
    return singular.replaceAll('-', ' ');
  };
}

/** Returns a noun with its indefinite article: `a product`, `an order`. */
export function withArticle(noun: string): string {
  return `${/^(?:[aeio]|u(?!ni|s[ei]))/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
