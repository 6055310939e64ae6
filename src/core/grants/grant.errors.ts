import { defineError } from '../http/errors/catalogue.js';

export const ACCESS_GRANT_NOT_FOUND = defineError(
  404,
  'ACCESS_GRANT_NOT_FOUND',
  'There is no such access grant.',
);
