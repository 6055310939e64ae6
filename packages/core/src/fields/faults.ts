import { ApiError, ErrorDetail } from '../http/errors/api-error.js';
import { ErrorType } from '../http/errors/define-errors.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { truncateMessage } from '../http/errors/truncate-text.js';

/** The codes of faults of a value, and whether each makes the request malformed (400) or only its meaning (422). */
export const FAULT_STATUSES = {
  REQUIRED: 400,
  WRONG_TYPE: 400,
  UNKNOWN_FIELD: 400,
  /** A character that no text can hold: NUL or half of a surrogate pair. */
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

/** The code of a value that another row has, where no two rows may have the same: 409. Only the database can tell. */
export const NOT_UNIQUE = 'NOT_UNIQUE';

export type FaultCode = keyof typeof FAULT_STATUSES;

/** The status of a fault. Its code is one of `FAULTS`, or a team's own for a rule of theirs, which makes it 422. */
export const faultStatus = ({ code }: ErrorDetail): 400 | 422 =>
  (FAULT_STATUSES as Readonly<Record<string, 400 | 422 | undefined>>)[code] ?? 422;

/** More than anybody reads: the rest of a long list would say the same. */
export const MAX_FAULTS = 100;

/** The error for the faults of one body: 400 as soon as one of them is of that kind; those are listed first. */
export const bodyError = (faults: readonly ErrorDetail[]): ApiError =>
  parameterError(faults, HttpErrors.VALIDATION_FAILED);

/** The error for the faults of a body, a query or a path. An unknown word is 422 in a body, and malformed elsewhere. */
export function parameterError(faults: readonly ErrorDetail[], malformed: ErrorType): ApiError {
  const statusIn = (fault: ErrorDetail): 400 | 422 =>
    malformed !== HttpErrors.VALIDATION_FAILED && fault.code === 'NOT_ALLOWED' ? 400 : faultStatus(fault);
  const sorted = faults.toSorted((a, b) => statusIn(a) - statusIn(b));
  return faultError(
    sorted.some((fault) => statusIn(fault) === 400) ? malformed : HttpErrors.UNPROCESSABLE_ENTITY,
    sorted,
  );
}

export function faultError(type: ErrorType, faults: readonly ErrorDetail[]): ApiError {
  const details = faults.slice(0, MAX_FAULTS);
  const summary = details.map(({ field, message }) => `${field && `${field}: `}${message}`).join('; ');
  return new ApiError(type, truncateMessage(summary), { details });
}
