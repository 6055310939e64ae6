/** The header as the documentation describes it. */
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  required: false,
  description:
    'Makes it safe to send the request again: for 24 hours, the same key with the same body gets the first answer.',
  schema: { type: 'string' as const, minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};
