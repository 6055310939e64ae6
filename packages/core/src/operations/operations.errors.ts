import { defineErrors } from '../http/errors/catalogue.js';

export const { NOT_READY } = defineErrors({
  NOT_READY: [503, 'The instance cannot serve requests; the message says why.'],
});
