import { defineError } from '../http/errors/catalogue.js';

export const AUTHENTICATION_REQUIRED = defineError(
  401,
  'AUTHENTICATION_REQUIRED',
  'The request carries no credentials.',
);
export const PERMISSION_DENIED = defineError(403, 'PERMISSION_DENIED', 'The caller lacks a permission.');
