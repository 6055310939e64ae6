import { ApiError, ErrorDetail } from '#src/common/errors/api-error.js';
import { UNPROCESSABLE_ENTITY, VALIDATION_FAILED } from '#src/common/errors/http.errors.js';

/**
 * What can be wrong with a value, and whether it makes the request malformed (400) or only its meaning (422).
 * The one table that decides between the two.
 */
export const FAULTS = {
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
  BAD_FORMAT: 422,
  NOT_ALLOWED: 422,
} as const satisfies Record<string, 400 | 422>;

export type FaultCode = keyof typeof FAULTS;

export interface Fault extends ErrorDetail {
  readonly code: FaultCode;
}

/** The error for the faults of one body: 400 as soon as one of them is of that kind, with all of them listed. */
export function bodyError(faults: readonly Fault[]): ApiError {
  const isMalformed = faults.some((fault) => FAULTS[fault.code] === 400);
  const message = faults.map((fault) => `${fault.field}: ${fault.message}`).join('; ');
  return new ApiError(isMalformed ? VALIDATION_FAILED : UNPROCESSABLE_ENTITY, message, { details: faults });
}
