import { defineError } from '../http/errors/catalogue.js';

export const SESSION_STORE_UNAVAILABLE = defineError(
  503,
  'SESSION_STORE_UNAVAILABLE',
  'The session store does not respond; Retry-After says when to try again.',
);
