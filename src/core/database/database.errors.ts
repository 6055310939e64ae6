import { defineError } from '../http/errors/catalogue.js';

export const DATABASE_ERROR = defineError(
  502,
  'DATABASE_ERROR',
  'The database failed while it processed the request.',
);
export const DATABASE_UNAVAILABLE = defineError(
  503,
  'DATABASE_UNAVAILABLE',
  'The database is not accepting connections; Retry-After says when to try again.',
);
export const DATABASE_TIMEOUT = defineError(504, 'DATABASE_TIMEOUT', 'The database did not answer in time.');
