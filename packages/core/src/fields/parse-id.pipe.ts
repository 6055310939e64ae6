import { ArgumentMetadata, PipeTransform } from '@nestjs/common';

import { ApiError } from '../http/errors/api-error.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { truncateText } from '../http/errors/truncate-text.js';
import { faultError } from './faults.js';
import { MAX_ID } from './fields.js';

/** An id that no row has. It replaces an integer that cannot be an id, so that the response is 404 and not 400. */
export const NO_SUCH_ID = 0;

/** The error for a path parameter that is not an id. */
export function invalidIdError(text: string, field: string): ApiError {
  const message = `must be a positive integer (got ${JSON.stringify(truncateText(text, 40))})`;
  return faultError(HttpErrors.INVALID_ID, [{ field, code: 'WRONG_TYPE', message }]);
}

/** Parses an id in a path. @throws ApiError `INVALID_ID` if the text is not an integer in decimal digits */
export function parseId(text: string, field: string): number {
  if (!/^-?\d+$/.test(text)) throw invalidIdError(text, field);
  const id = Number(text);
  return id >= 1 && id <= MAX_ID ? id : NO_SUCH_ID;
}

/**
 * Parses an id in a path. Unlike `ParseIntPipe`, it accepts an integer that is too large for an id: the row is then not
 * found. For a path with several ids, declare a DTO with `@Id()` fields, and make it the type of a parameter with
 * `@Param()`.
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
