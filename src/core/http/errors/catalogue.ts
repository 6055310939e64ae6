/** A kind of error that a client can tell apart: its code, its HTTP status, and a sentence for the docs. */
export interface ErrorType {
  /** Upper snake case, unique in the service, never renamed once published. */
  readonly code: string;
  readonly status: number;
  readonly summary: string;
}

const catalogue = new Map<string, ErrorType>();

/**
 * Declares a kind of error and enters it in the catalogue, from which the OpenAPI document lists the codes.
 * Declared once, beside the feature that throws it.
 *
 * @throws Error at start where the code is malformed, or means something else already
 * @example export const PRODUCT_NOT_FOUND = defineError(404, 'PRODUCT_NOT_FOUND', 'There is no such product.');
 */
export function defineError(status: number, code: string, summary: string): ErrorType {
  if (!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(code))
    throw new Error(`error code ${code} is not UPPER_SNAKE_CASE`);
  const other = catalogue.get(code);
  // A module that is loaded again declares the same.
  if (other && (other.status !== status || other.summary !== summary))
    throw new Error(`error code ${code} is declared twice`);
  const type = Object.freeze({ code, status, summary });
  catalogue.set(code, type);
  return type;
}

/** Every kind of error of the modules loaded so far, by status and code. */
export function errorCatalogue(): readonly ErrorType[] {
  return [...catalogue.values()].sort((a, b) => a.status - b.status || a.code.localeCompare(b.code));
}
