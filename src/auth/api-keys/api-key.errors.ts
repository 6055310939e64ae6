import { defineError } from '../../http/errors/catalogue.js';

export const API_KEY_NOT_FOUND = defineError(404, 'API_KEY_NOT_FOUND', 'There is no such API key.');
export const API_KEY_LIMIT_REACHED = defineError(
  409,
  'API_KEY_LIMIT_REACHED',
  'A user can have at most 100 API keys.',
);
