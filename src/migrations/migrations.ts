import { Users1763600001000 } from './1763600001000-users.js';
import { Products1763600002000 } from './1763600002000-products.js';
import { Orders1763600003000 } from './1763600003000-orders.js';
import { Reviews1763600004000 } from './1763600004000-reviews.js';

/** The migrations of the application, in order. Never change a released migration; correct it with a new one. */
export const MIGRATIONS = [
  Users1763600001000,
  Products1763600002000,
  Orders1763600003000,
  Reviews1763600004000,
];
