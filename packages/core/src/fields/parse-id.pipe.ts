import { ArgumentMetadata, PipeTransform } from '@nestjs/common';

import { ApiError, HttpErrors, truncateText } from '../http/errors/api-error.js';
import { faultError } from './faults.js';
import { MAX_ID } from './fields.js';

/** An id that no row has. It stands for every integer that is out of the range of ids. */
export const NO_SUCH_ID = 0;

export function invalidIdError(text: string, field: string): ApiError {
  const message = `got ${JSON.stringify(truncateText(text, 40))}, takes a positive integer`;
  return faultError(HttpErrors.INVALID_ID, [{ field, code: 'WRONG_TYPE', message }]);
}

/** Reads an id of a path, in decimal digits only. @throws ApiError `INVALID_ID` for text that is not an integer */
export function parseId(text: string, field: string): number {
  if (!/^-?\d+$/.test(text)) throw invalidIdError(text, field);
  const id = Number(text);
  return id >= 1 && id <= MAX_ID ? id : NO_SUCH_ID;
}

/**
 * Reads the id that a path parameter names. Unlike `ParseIntPipe`, it takes an integer that is too large: no row has that
 * id, so the row is not found. For a path with several ids, declare a DTO of `@Id()` fields and take it by `@Param()`.
 * @throws ApiError `INVALID_ID` for text that is not an integer
 * @example get(@Param('id', ParseIdPipe) id: number) { … }
 */
export class ParseIdPipe implements PipeTransform<string | number, number> {
  transform(value: string | number, { data = '' }: ArgumentMetadata): number {
    // `String()` writes such a number with an exponent, but it is an integer, with more digits than any id has.
    const isHuge = typeof value === 'number' && Math.abs(value) >= 1e21;
    return isHuge ? NO_SUCH_ID : parseId(String(value), data);
  }
}
