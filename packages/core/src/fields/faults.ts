import { ApiError, ErrorDetail } from '../http/errors/api-error.js';
import { ErrorType } from '../http/errors/define-errors.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { truncateMessage } from '../http/errors/truncate-text.js';

/**
 * The codes of faults, and the status of each: 400 if the request is malformed, 422 if the value has the right type,
 * but is not accepted.
 */
export const FAULT_STATUSES = {
  REQUIRED: 400,
  WRONG_TYPE: 400,
  UNKNOWN_FIELD: 400,
  /** A character that text cannot contain: NUL, or half of a surrogate pair. */
  BAD_CHARACTER: 400,
  REPEATED: 400,
  BLANK: 422,
  TOO_SHORT: 422,
  TOO_LONG: 422,
  TOO_SMALL: 422,
  TOO_LARGE: 422,
  TOO_PRECISE: 422,
  TOO_FEW: 422,
  TOO_MANY: 422,
  DUPLICATE: 422,
  TOO_COMMON: 422,
  BAD_FORMAT: 422,
  NOT_ALLOWED: 422,
} as const satisfies Record<string, 400 | 422>;

/**
 * The code of a value that must be unique, but that another row already has. Only the database can check this, and the
 * error has the status 409.
 */
export const NOT_UNIQUE = 'NOT_UNIQUE';

export type FaultCode = keyof typeof FAULT_STATUSES;

/**
 * Returns the status of a fault. A code that is not in `FAULT_STATUSES` belongs to a rule of the application, and its
 * status is 422.
 */
export const faultStatus = ({ code }: ErrorDetail): 400 | 422 =>
  (FAULT_STATUSES as Readonly<Record<string, 400 | 422 | undefined>>)[code] ?? 422;

/** The maximum number of faults in a response. */
export const MAX_FAULTS = 100;

/**
 * Returns the error for the faults of a body. If any fault has status 400, the error has status 400, and lists such
 * faults first.
 */
export const bodyError = (faults: readonly ErrorDetail[]): ApiError =>
  parameterError(faults, HttpErrors.VALIDATION_FAILED);

/**
 * Returns the error for the faults of a body, a query or a path. The status of `NOT_ALLOWED` is 422 in a body, and 400
 * in a query or a path.
 * @param malformed the type of the error if its status is 400
 */
export function parameterError(faults: readonly ErrorDetail[], malformed: ErrorType): ApiError {
  const statusIn = (fault: ErrorDetail): 400 | 422 =>
    malformed !== HttpErrors.VALIDATION_FAILED && fault.code === 'NOT_ALLOWED' ? 400 : faultStatus(fault);
  const sorted = faults.toSorted((a, b) => statusIn(a) - statusIn(b));
  return faultError(
    sorted.some((fault) => statusIn(fault) === 400) ? malformed : HttpErrors.UNPROCESSABLE_ENTITY,
    sorted,
  );
}

/**
 * Returns an error of the given type. It has the faults as `details`, and its message joins the messages of the faults.
 */
export function faultError(type: ErrorType, faults: readonly ErrorDetail[]): ApiError {
  const details = faults.slice(0, MAX_FAULTS);
  const summary = details.map(({ field, message }) => `${field && `${field}: `}${message}`).join('; ');
  return new ApiError(type, truncateMessage(summary), { details });
}
