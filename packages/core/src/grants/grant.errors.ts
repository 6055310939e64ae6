import { defineErrors } from '../http/errors/define-errors.js';

export const { ACCESS_GRANT_NOT_FOUND } = defineErrors({
  ACCESS_GRANT_NOT_FOUND: [404, 'There is no such access grant.'],
});
