import { defineError } from '../http/errors/catalogue.js';

export const CROSS_ORIGIN_REJECTED = defineError(
  403,
  'CROSS_ORIGIN_REJECTED',
  'A session cookie is accepted for writes only from pages of this origin and of allowed origins.',
);
export const SESSION_STORE_UNAVAILABLE = defineError(
  503,
  'SESSION_STORE_UNAVAILABLE',
  'The session store does not respond; Retry-After says when to try again.',
);
