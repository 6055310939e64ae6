import { defineErrors } from '../http/errors/define-errors.js';

export const { EMAIL_ALREADY_EXISTS, LAST_ADMIN, INVALID_RESET_TOKEN, INVALID_VERIFICATION_TOKEN } =
  defineErrors({
    EMAIL_ALREADY_EXISTS: [409, 'Another user has this e-mail.'],
    LAST_ADMIN: [409, 'The last administrator cannot be deleted, and cannot get another role.'],
    INVALID_RESET_TOKEN: [400, 'The link to set a new password is invalid, has expired, or was used.'],
    INVALID_VERIFICATION_TOKEN: [400, 'The link to confirm an e-mail is invalid, has expired, or was used.'],
  });
