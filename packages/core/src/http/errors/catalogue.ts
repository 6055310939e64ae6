/** A kind of error that a client can tell apart: its code, its HTTP status, and a sentence for the docs. */
export interface ErrorType {
  /** Upper snake case, unique in the service, never renamed once published. */
  readonly code: string;
  readonly status: number;
  readonly summary: string;
}

const catalogue = new Map<string, ErrorType>();

/**
 * Declares kinds of errors and enters them in the catalogue, from which the OpenAPI document lists the codes.
 * Declared once, beside the feature that throws them.
 *
 * @throws Error at start where a code is malformed, or means something else already
 * @example export const { PRODUCT_NOT_FOUND } = defineErrors({ PRODUCT_NOT_FOUND: [404, 'There is no such product.'] });
 */
export function defineErrors<Code extends string>(
  errors: Readonly<Record<Code, readonly [status: number, summary: string]>>,
): Readonly<Record<Code, ErrorType>> {
  const types = {} as Record<Code, ErrorType>;
  for (const code of Object.keys(errors) as Code[]) {
    const [status, summary] = errors[code];
    if (!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(code))
      throw new Error(`error code ${code} is not UPPER_SNAKE_CASE`);
    const other = catalogue.get(code);
    // A module that is loaded again declares the same.
    if (other && (other.status !== status || other.summary !== summary))
      throw new Error(`error code ${code} is declared twice`);
    types[code] = Object.freeze({ code, status, summary });
    catalogue.set(code, types[code]);
  }
  return types;
}

/** Every kind of error of the modules loaded so far, by status and code. */
export function errorCatalogue(): readonly ErrorType[] {
  return [...catalogue.values()].sort((a, b) => a.status - b.status || a.code.localeCompare(b.code));
}
