import { defineError } from '../http/errors/catalogue.js';

export const DATABASE_ERROR = defineError(
  502,
  'DATABASE_ERROR',
  'The database failed while it was answering.',
);
export const DATABASE_UNAVAILABLE = defineError(
  503,
  'DATABASE_UNAVAILABLE',
  'The database takes no connections now; Retry-After says when to try again.',
);
export const DATABASE_TIMEOUT = defineError(504, 'DATABASE_TIMEOUT', 'The database did not answer in time.');
