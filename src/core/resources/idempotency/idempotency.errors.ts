import { defineError } from '../../http/errors/catalogue.js';

export const INVALID_IDEMPOTENCY_KEY = defineError(
  400,
  'INVALID_IDEMPOTENCY_KEY',
  'Idempotency-Key is not of 1 to 255 visible ASCII characters.',
);
export const IDEMPOTENCY_KEY_IN_USE = defineError(
  409,
  'IDEMPOTENCY_KEY_IN_USE',
  'A request with this Idempotency-Key is running.',
);
export const IDEMPOTENCY_KEY_REUSED = defineError(
  422,
  'IDEMPOTENCY_KEY_REUSED',
  'The Idempotency-Key was used for a request with another path or body.',
);
