import { Users1763600001000 } from './1763600001000-users.js';
import { Products1763600002000 } from './1763600002000-products.js';
import { Orders1763600003000 } from './1763600003000-orders.js';
import { Reviews1763600004000 } from './1763600004000-reviews.js';
import { SearchUsers1795650100000 } from './1795650100000-search-users.js';
import { SearchProducts1795650101000 } from './1795650101000-search-products.js';
import { SearchReviews1795650102000 } from './1795650102000-search-reviews.js';
import { ReviewAuthors1795650200000 } from './1795650200000-review-authors.js';
import { SpellUsers1795825100000 } from './1795825100000-spell-users.js';
import { SpellProducts1795825101000 } from './1795825101000-spell-products.js';
import { SpellReviews1795825102000 } from './1795825102000-spell-reviews.js';

/** The migrations of the application, in order. One that is released is never changed: the next one corrects it. */
export const MIGRATIONS = [
  Users1763600001000,
  Products1763600002000,
  Orders1763600003000,
  Reviews1763600004000,
  SearchUsers1795650100000,
  SearchProducts1795650101000,
  SearchReviews1795650102000,
  ReviewAuthors1795650200000,
  SpellUsers1795825100000,
  SpellProducts1795825101000,
  SpellReviews1795825102000,
];
