import { defineError } from '../http/errors/catalogue.js';

export const DATABASE_ERROR = defineError(
  502,
  'DATABASE_ERROR',
  'The database failed while it processed the request.',
  'Send a read again. Of a write, look first whether it was done.',
);
export const DATABASE_UNAVAILABLE = defineError(
  503,
  'DATABASE_UNAVAILABLE',
  'The database is not accepting connections; Retry-After says when to try again.',
  'Send it again after `Retry-After` seconds: nothing was done.',
);
export const DATABASE_TIMEOUT = defineError(
  504,
  'DATABASE_TIMEOUT',
  'The database did not answer in time.',
  'Ask for less at once (a smaller page, a cursor instead of a deep page). Of a write, look first whether it was done.',
);
