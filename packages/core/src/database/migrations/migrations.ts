import { Base1763600000000 } from './1763600000000-base.js';

/** The migrations of the base: accounts, logins, keys, grants and idempotency. */
export const BASE_MIGRATIONS = [Base1763600000000];
