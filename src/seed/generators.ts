import { Generator } from './generator.js';
import { PRODUCTS } from './products.generator.js';

/** What can be seeded, in the order in which it is. */
export const GENERATORS: readonly Generator[] = [PRODUCTS];
