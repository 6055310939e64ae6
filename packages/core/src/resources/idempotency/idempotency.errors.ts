import { defineErrors } from '../../http/errors/define-errors.js';

export const { INVALID_IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_IN_USE, IDEMPOTENCY_KEY_REUSED } = defineErrors({
  INVALID_IDEMPOTENCY_KEY: [400, 'The Idempotency-Key must consist of 1 to 255 visible ASCII characters.'],
  IDEMPOTENCY_KEY_IN_USE: [409, 'A request with this Idempotency-Key is still running.'],
  IDEMPOTENCY_KEY_REUSED: [422, 'The Idempotency-Key was used for a request with another path or body.'],
});
