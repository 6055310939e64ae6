import { ArgumentMetadata, PipeTransform } from '@nestjs/common';

import { ApiError } from '../http/errors/api-error.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { truncateText } from '../http/errors/truncate-text.js';
import { faultError } from './faults.js';
import { MAX_ID } from './fields.js';

/** An id that no row has. It stands for integers that are not ids, which are not found rather than malformed. */
export const NO_SUCH_ID = 0;

/** The error for a path parameter that is not an id. */
export function invalidIdError(text: string, field: string): ApiError {
  const message = `must be a positive integer (got ${JSON.stringify(truncateText(text, 40))})`;
  return faultError(HttpErrors.INVALID_ID, [{ field, code: 'WRONG_TYPE', message }]);
}

/** Parses an id in a path: decimal digits only. @throws ApiError `INVALID_ID` if it is not an integer */
export function parseId(text: string, field: string): number {
  if (!/^-?\d+$/.test(text)) throw invalidIdError(text, field);
  const id = Number(text);
  return id >= 1 && id <= MAX_ID ? id : NO_SUCH_ID;
}

/**
 * Parses an id in a path. Unlike with `ParseIntPipe`, an integer that is too large for an id is not an error: the row is not
 * found. For a path with several ids, declare a DTO of `@Id()` fields and take it by `@Param()`.
 * @throws ApiError `INVALID_ID`
 * @example get(@Param('id', ParseIdPipe) id: number) { … }
 */
export class ParseIdPipe implements PipeTransform<string | number, number> {
  transform(value: string | number, { data = '' }: ArgumentMetadata): number {
    // From 1e21 on, `String()` writes an exponent, which `parseId()` would reject.
    const isHuge = typeof value === 'number' && Math.abs(value) >= 1e21;
    return isHuge ? NO_SUCH_ID : parseId(String(value), data);
  }
}
