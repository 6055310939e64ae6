/** The singulars that resources declare, by their collections. */
const declared = new Map<string, string>();

/** Declares the singular of a collection. @throws Error where another resource has declared another */
export function declareSingular(collection: string, singular: string): void {
  const other = declared.get(collection);
  if (other !== undefined && other !== singular)
    throw new Error(
      `One of the ${collection} is called ${other} by one resource, and ${singular} by another`,
    );
  declared.set(collection, singular);
}

/** Endings of regular plurals, and of their singulars; the first that fits decides. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/ies$/, 'y'],
  [/(ss|sh|ch|x|zz|[^o]us)es$/, '$1'],
  [/([^s])s$/, '$1'],
];

/** The singular of a collection: `order-items` → `order-item`. */
export function singularOf(collection: string): string {
  const ending = ENDINGS.find(([plural]) => plural.test(collection));
  return declared.get(collection) ?? (ending ? collection.replace(...ending) : collection);
}

/** `product` → `a product`, `order` → `an order`. */
export function withArticle(noun: string): string {
  return `${/^(?:[aeio]|u(?!ni|s[ei]))/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
