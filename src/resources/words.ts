/** `products` → `product`, `Categories` → `Category`. */
export function singularOf(plural: string): string {
  return plural.replace(/ies$/, 'y').replace(/s$/, '');
}

/** `product` → `a product`, `order` → `an order`. */
export function withArticle(noun: string): string {
  return `${/^(?:[aeio]|u(?!ni|s[ei]))/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
