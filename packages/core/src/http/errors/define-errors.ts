/** A kind of error that clients can recognize: a code, an HTTP status, and a sentence for the docs. */
export interface ErrorType {
  /** Upper snake case and unique in the service. A published code is never renamed. */
  readonly code: string;
  readonly status: number;
  readonly summary: string;
}

/**
 * Declares kinds of errors. Put them in the `*.errors.ts` of the feature that throws them. The service refuses to start
 * if two features declare the same code with different statuses or summaries.
 * @example
 * export const { PRODUCT_NOT_FOUND } = defineErrors({ PRODUCT_NOT_FOUND: [404, 'There is no such product.'] });
 * @throws Error if a code is not UPPER_SNAKE_CASE
 */
export function defineErrors<Code extends string>(
  errors: Readonly<Record<Code, readonly [status: number, summary: string]>>,
): Readonly<Record<Code, ErrorType>> {
  const types = {} as Record<Code, ErrorType>;
  for (const code of Object.keys(errors) as Code[]) {
    const [status, summary] = errors[code];
    if (!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(code))
      throw new Error(`error code ${code} is not UPPER_SNAKE_CASE`);
    types[code] = Object.freeze({ code, status, summary });
  }
  return types;
}
