/** A kind of error that a client can tell apart: its code, its HTTP status, and two sentences for the docs. */
export interface ErrorType {
  /** Upper snake case, unique in the service, never renamed once published. */
  readonly code: string;
  readonly status: number;
  /** When it is answered. */
  readonly summary: string;
  /** The advice for the client. */
  readonly cure: string;
}

const catalogue = new Map<string, ErrorType>();

/**
 * Declares a kind of error and enters it in the catalogue, from which the OpenAPI document lists the codes.
 * Declared once, beside the feature that throws it.
 *
 * @param cure what the client can do about it; left out: what usually helps with that status
 * @throws Error at start when the code is taken or malformed
 * @example export const PRODUCT_NOT_FOUND = defineError(404, 'PRODUCT_NOT_FOUND', 'There is no such product.');
 */
export function defineError(
  status: number,
  code: string,
  summary: string,
  cure = usualCure(status),
): ErrorType {
  if (!/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(code))
    throw new Error(`error code ${code} is not UPPER_SNAKE_CASE`);
  if (catalogue.has(code)) throw new Error(`error code ${code} is declared twice`);
  const type = Object.freeze({ code, status, summary, cure });
  catalogue.set(code, type);
  return type;
}

const USUAL_CURES: Readonly<Record<number, string | undefined>> = {
  400: 'Correct what the message names.',
  401: 'Send other credentials.',
  403: 'Do not repeat it: the message says what the caller lacks.',
  404: 'Forget the id; it may have been deleted.',
  409: 'Read the current state, resolve what the message names, send the request anew.',
  422: 'Correct every value that `details` lists.',
};

/** The advice that usually helps with an error of a status. */
export function usualCure(status: number): string {
  const ofClass =
    status < 500 ? 'Correct the request as the message says.' : 'Wait a moment, then try again.';
  return USUAL_CURES[status] ?? ofClass;
}

/** Every kind of error of the modules loaded so far, by status and code. */
export function errorCatalogue(): readonly ErrorType[] {
  return [...catalogue.values()].sort((a, b) => a.status - b.status || a.code.localeCompare(b.code));
}
