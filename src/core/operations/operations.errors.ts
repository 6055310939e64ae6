import { defineError } from '../http/errors/catalogue.js';

export const NOT_READY = defineError(
  503,
  'NOT_READY',
  'The instance cannot serve requests; the message says why.',
);
