import { ArgumentMetadata, PipeTransform } from '@nestjs/common';

import { ApiError } from '../http/errors/api-error.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { truncateText } from '../http/errors/truncate-text.js';
import { faultError } from './faults.js';
import { MAX_ID } from './fields.js';

/** Larger than any id the database gives, and still an integer: no resource has it. */
export const NO_SUCH_ID = 0;

export function invalidIdError(text: string, field: string): ApiError {
  const message = `got ${JSON.stringify(truncateText(text, 40))}, takes a positive integer`;
  return faultError(HttpErrors.INVALID_ID, [{ field, code: 'WRONG_TYPE', message }]);
}

/** Reads an id of a path, decimal digits only. @throws ApiError `INVALID_ID` where it is no integer */
export function parseId(text: string, field: string): number {
  if (!/^-?\d+$/.test(text)) throw invalidIdError(text, field);
  const id = Number(text);
  return id >= 1 && id <= MAX_ID ? id : NO_SUCH_ID;
}

/**
 * The id that a path parameter names: unlike `ParseIntPipe`, it takes an integer that is too large.
 * @example get(@Param('id', ParseIdPipe) id: number) { … }
 */
export class ParseIdPipe implements PipeTransform<string | number, number> {
  transform(value: string | number, { data = '' }: ArgumentMetadata): number {
    // From here on `String()` writes an exponent: it is an integer still, of more digits than any id has.
    const isHuge = typeof value === 'number' && Math.abs(value) >= 1e21;
    return isHuge ? NO_SUCH_ID : parseId(String(value), data);
  }
}
