import { ApiError, ErrorDetail } from '../http/errors/api-error.js';
import { ErrorType } from '../http/errors/define-errors.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { truncateMessage } from '../http/errors/truncate-text.js';

/** The codes of faults. 400 if the request is malformed, 422 if a value of the right type is not accepted. */
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

/** The code of a value that must be unique but that another row has. Only the database can check it, so its error is a 409. */
export const NOT_UNIQUE = 'NOT_UNIQUE';

export type FaultCode = keyof typeof FAULT_STATUSES;

/** The status of a fault. A code that is not in `FAULT_STATUSES` belongs to a rule of the application, and is a 422. */
export const faultStatus = ({ code }: ErrorDetail): 400 | 422 =>
  (FAULT_STATUSES as Readonly<Record<string, 400 | 422 | undefined>>)[code] ?? 422;

/** How many faults a response lists at most. */
export const MAX_FAULTS = 100;

/** The error for the faults of a body. It is 400 if any of them is, and lists those first. */
export const bodyError = (faults: readonly ErrorDetail[]): ApiError =>
  parameterError(faults, HttpErrors.VALIDATION_FAILED);

/** The error for the faults of a body, a query or a path. `NOT_ALLOWED` is a 422 in a body, and a 400 elsewhere. */
export function parameterError(faults: readonly ErrorDetail[], malformed: ErrorType): ApiError {
  const statusIn = (fault: ErrorDetail): 400 | 422 =>
    malformed !== HttpErrors.VALIDATION_FAILED && fault.code === 'NOT_ALLOWED' ? 400 : faultStatus(fault);
  const sorted = faults.toSorted((a, b) => statusIn(a) - statusIn(b));
  return faultError(
    sorted.some((fault) => statusIn(fault) === 400) ? malformed : HttpErrors.UNPROCESSABLE_ENTITY,
    sorted,
  );
}

/** The error of a type with its `details`. Its message joins theirs. */
export function faultError(type: ErrorType, faults: readonly ErrorDetail[]): ApiError {
  const details = faults.slice(0, MAX_FAULTS);
  const summary = details.map(({ field, message }) => `${field && `${field}: `}${message}`).join('; ');
  return new ApiError(type, truncateMessage(summary), { details });
}
