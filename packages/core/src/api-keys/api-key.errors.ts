import { defineErrors } from '../http/errors/define-errors.js';

export const { API_KEY_NOT_FOUND, API_KEY_LIMIT_REACHED } = defineErrors({
  API_KEY_NOT_FOUND: [404, 'There is no such API key.'],
  API_KEY_LIMIT_REACHED: [409, 'A user can have at most 100 API keys.'],
});
