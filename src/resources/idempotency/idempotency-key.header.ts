/** The header as the documentation describes it. */
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  required: false,
  description: 'A key of your own for this request, such as a UUID.',
  schema: { type: 'string' as const, minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};
