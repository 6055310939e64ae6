import { ArgumentMetadata, PipeTransform } from '@nestjs/common';

import { ApiError } from '../http/errors/api-error.js';
import { INVALID_ID } from '../http/errors/http.errors.js';
import { isUuid, MAX_ID } from './fields.js';

/** Larger than any id the database gives, and still an integer: no resource has it. */
export const NO_SUCH_ID = 0;

/**
 * Reads an id of a path: decimal digits only.
 *
 * @returns the id, or `NO_SUCH_ID` for an integer that no resource can have (zero, negative, too large)
 * @throws ApiError `INVALID_ID` where it is no integer
 */
export function readId(text: string, name: string): number {
  if (!/^-?\d+$/.test(text)) throw invalidId(text, name, 'a positive integer');
  const id = Number(text);
  return id >= 1 && id <= MAX_ID ? id : NO_SUCH_ID;
}

/** Reads a UUID of a path. @returns it in lower case @throws ApiError `INVALID_ID` where it is none */
export function readUuid(text: string, name: string): string {
  if (!isUuid(text)) throw invalidId(text, name, 'a UUID');
  return text.toLowerCase();
}

function invalidId(text: string, name: string, wanted: string): ApiError {
  const got = text.length > 40 ? `a text of ${text.length} characters` : JSON.stringify(text);
  const message = `got ${got}, takes ${wanted}`;
  const details = [{ field: name, code: 'WRONG_TYPE', message }];
  return new ApiError(INVALID_ID, `${name}: ${message}`, { details });
}

/**
 * The id that a path parameter names. Unlike `ParseIntPipe`, it reads decimal digits alone, and takes an integer that
 * is too large for one that nothing has.
 *
 * @throws ApiError `INVALID_ID`
 * @example get(@Param('id', ParseIdPipe) id: number) { … }
 */
export class ParseIdPipe implements PipeTransform<string | number, number> {
  /** @param value a number, if the pipe of the application has read it as one */
  transform(value: string | number, { data = '' }: ArgumentMetadata): number {
    if (typeof value === 'string' || !(Number.isInteger(value) || Math.abs(value) === Infinity))
      return readId(String(value), data);
    return value >= 1 && value <= MAX_ID ? value : NO_SUCH_ID;
  }
}

/** The UUID that a path parameter names, in lower case, as rows have it. @throws ApiError `INVALID_ID` */
export class ParseUuidPipe implements PipeTransform<string, string> {
  transform(text: string, { data = '' }: ArgumentMetadata): string {
    return readUuid(text, data);
  }
}
