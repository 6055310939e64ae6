import pluralize from 'pluralize';

/** Plurals whose singular the rules of `pluralize` get wrong. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['caches', 'cache'],
  ['canvases', 'canvas'],
  ['cookies', 'cookie'],
  ['lenses', 'lens'],
]);

/** The singulars that resources declare, by their collections. */
const declared = new Map<string, string>();

/**
 * Declares the singular of a collection, for words that the rules of English do not cover.
 *
 * @example declareSingular('news', 'news-item')
 * @throws Error where another resource has declared another
 */
export function declareSingular(collection: string, singular: string): void {
  const other = declared.get(collection);
  if (other !== undefined && other !== singular)
    throw new Error(
      `One of the ${collection} is called ${other} by one resource, and ${singular} by another`,
    );
  declared.set(collection, singular);
}

/** The singular of a collection, of words in lower case joined by `-`: `order-items` → `order-item`. */
export function singularOf(collection: string): string {
  const at = collection.lastIndexOf('-') + 1;
  const last = collection.slice(at);
  return (
    declared.get(collection) ?? collection.slice(0, at) + (IRREGULAR.get(last) ?? pluralize.singular(last))
  );
}

/** `product` → `a product`, `order` → `an order`. */
export function withArticle(noun: string): string {
  return `${/^(?:[aeio]|u(?!ni|s[ei]))/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
