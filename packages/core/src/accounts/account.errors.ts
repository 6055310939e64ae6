import { defineErrors } from '../http/errors/catalogue.js';

export const { EMAIL_ALREADY_EXISTS, LAST_ADMIN } = defineErrors({
  EMAIL_ALREADY_EXISTS: [409, 'Another user has this e-mail.'],
  LAST_ADMIN: [409, 'The last administrator cannot be deleted or given another role.'],
});
