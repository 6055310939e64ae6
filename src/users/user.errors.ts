import { defineError } from '../core/index.js';

export const USER_NOT_FOUND = defineError(404, 'USER_NOT_FOUND', 'There is no such user.');
export const EMAIL_ALREADY_EXISTS = defineError(409, 'EMAIL_ALREADY_EXISTS', 'Another user has this e-mail.');
export const LAST_ADMIN = defineError(
  409,
  'LAST_ADMIN',
  'The last administrator cannot be deleted or given another role.',
);
export const USER_HAS_ORDERS = defineError(409, 'USER_HAS_ORDERS', 'A user with orders cannot be deleted.');
