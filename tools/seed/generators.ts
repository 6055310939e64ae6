import { Generator } from './generator.js';
import { ORDERS } from './orders.generator.js';
import { PRODUCTS } from './products.generator.js';
import { REVIEWS } from './reviews.generator.js';
import { USERS } from './users.generator.js';

/** What can be seeded, in the order in which it is: what others refer to comes first. */
export const GENERATORS: readonly Generator[] = [PRODUCTS, USERS, ORDERS, REVIEWS];
