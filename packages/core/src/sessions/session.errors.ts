import { defineErrors } from '../http/errors/define-errors.js';

export const { SESSION_STORE_UNAVAILABLE, SESSION_NOT_FOUND } = defineErrors({
  SESSION_STORE_UNAVAILABLE: [
    503,
    'The session store does not respond. Retry-After contains the time to wait.',
  ],
  SESSION_NOT_FOUND: [404, 'There is no such session.'],
});
