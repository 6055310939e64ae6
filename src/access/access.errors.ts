import { defineError } from '../http/errors/catalogue.js';

export const PERMISSION_DENIED = defineError(
  403,
  'PERMISSION_DENIED',
  'The caller lacks a permission.',
  'Do not repeat it: the role, the permissions of the key or an access grant has to change first.',
);
