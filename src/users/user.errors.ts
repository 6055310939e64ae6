import { defineError } from '#src/common/errors/catalogue.js';

export const USER_NOT_FOUND = defineError(404, 'USER_NOT_FOUND', 'There is no such user.');
export const EMAIL_ALREADY_EXISTS = defineError(
  409,
  'EMAIL_ALREADY_EXISTS',
  'A user has this e-mail already.',
);
