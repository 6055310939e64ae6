import { defineErrors } from '../http/errors/define-errors.js';

export const { DATABASE_ERROR, DATABASE_UNAVAILABLE, DATABASE_TIMEOUT } = defineErrors({
  DATABASE_ERROR: [502, 'The database failed while it processed the request.'],
  DATABASE_UNAVAILABLE: [
    503,
    'The database does not accept connections. Retry-After says when to try again.',
  ],
  DATABASE_TIMEOUT: [504, 'The database did not answer in time.'],
});
