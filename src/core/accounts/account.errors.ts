import { defineError } from '../http/errors/catalogue.js';

export const EMAIL_ALREADY_EXISTS = defineError(409, 'EMAIL_ALREADY_EXISTS', 'Another user has this e-mail.');
export const LAST_ADMIN = defineError(
  409,
  'LAST_ADMIN',
  'The last administrator cannot be deleted or given another role.',
);

export const SESSION_STORE_UNAVAILABLE = defineError(
  503,
  'SESSION_STORE_UNAVAILABLE',
  'The session store does not respond; Retry-After says when to try again.',
);

export const SESSION_NOT_FOUND = defineError(404, 'SESSION_NOT_FOUND', 'There is no such session.');

export const API_KEY_NOT_FOUND = defineError(404, 'API_KEY_NOT_FOUND', 'There is no such API key.');
export const API_KEY_LIMIT_REACHED = defineError(
  409,
  'API_KEY_LIMIT_REACHED',
  'A user can have at most 100 API keys.',
);
