import { Generator } from './generator.js';
import { ORDERS } from './orders.generator.js';
import { PRODUCTS } from './products.generator.js';
import { REVIEWS } from './reviews.generator.js';
import { USERS } from './users.generator.js';

/** All generators, in the order in which they run: rows that others refer to come first. */
export const GENERATORS: readonly Generator[] = [PRODUCTS, USERS, ORDERS, REVIEWS];
