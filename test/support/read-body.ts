import { validateSync } from 'class-validator';

import { DtoReader } from '../../packages/core/src/fields/dto-reader.js';
import { bodyError } from '../../packages/core/src/fields/faults.js';
import { Dto } from '../../packages/core/src/fields/field.js';
import { ApiError } from '../../packages/core/src/http/errors/api-error.js';

/**
 * Reads a body like the pipe of the application, but synchronously, for classes without asynchronous rules.
 * @throws ApiError
 */
export function readBody<T extends object>(body: unknown, dto: Dto<T>): T {
  const reader = new DtoReader();
  const instance = reader.read(dto, body as Record<string, unknown>);
  reader.addValidationErrors(validateSync(instance, { forbidUnknownValues: false }));
  if (reader.faults.length > 0) throw bodyError(reader.faults);
  return instance;
}

/** The error with which a body is refused. */
export function errorOf(dto: Dto, body: unknown): ApiError {
  try {
    readBody(body, dto);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('the body was accepted');
}

/** The faults of a body as text: `400 name:REQUIRED price:WRONG_TYPE`. */
export function faultsOf(dto: Dto, body: unknown): string {
  const { status, details } = errorOf(dto, body);
  return [status, ...details!.map(({ field, code }) => `${field}:${code}`)].join(' ');
}
