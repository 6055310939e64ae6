import { ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { validate } from 'class-validator';

import { ApiError } from '../http/errors/api-error.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { DtoReader } from './dto-reader.js';
import { parseValue } from './parse-value.js';
import { faultError, parameterError } from './faults.js';
import { describeValue, Dto } from './field.js';
import { invalidIdError } from './parse-id.pipe.js';
import { isStorable, UNSTORABLE_MESSAGE } from './rules.js';
import { isDto, isObject, JSON_TYPES, JsonObject } from './dto-schema.js';
import { isKeyDto, readKey } from './key-dto.js';

const MALFORMED_ERRORS = {
  body: HttpErrors.VALIDATION_FAILED,
  query: HttpErrors.INVALID_QUERY,
  param: HttpErrors.INVALID_ID,
};
type ParameterSource = keyof typeof MALFORMED_ERRORS;

/**
 * The global pipe (`APP_PIPE`), which extends NestJS's `ValidationPipe`. It reports all faults at once, with status 400
 * or 422. It converts the text of queries, paths and forms. It does not convert JSON bodies: their values must have the
 * right types.
 */
@Injectable()
export class DtoValidationPipe extends ValidationPipe {
  /** @throws ApiError `INVALID_JSON`, `VALIDATION_FAILED`, `INVALID_QUERY`, `INVALID_ID`, `UNPROCESSABLE_ENTITY` */
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (type === 'custom') return value;
    if (type === 'param' && isKeyDto(metatype)) return readKey(metatype, value as JsonObject);
    if (isDto(metatype)) return readDto(metatype, value, type);
    return type === 'body' ? value : readParameter(value, metadata, type);
  }
}

/** Reads and validates an instance of a DTO. @throws ApiError with all faults */
export async function readDto<T extends object>(
  dto: Dto<T>,
  value: unknown,
  type: ParameterSource,
): Promise<T> {
  if (!isObject(value))
    throw new ApiError(
      HttpErrors.INVALID_JSON,
      `The body must be a JSON object (got ${describeBody(value)}).`,
    );
  // A form is an object without a prototype, whose fields are text.
  const isText = type !== 'body' || Object.getPrototypeOf(value) === null;
  const reader = new DtoReader(isText, type === 'body');
  const instance = reader.read(dto, value);
  const { faults, needsWhitelist } = reader;
  const options = {
    forbidUnknownValues: false,
    whitelist: needsWhitelist,
    forbidNonWhitelisted: needsWhitelist,
  };
  reader.addValidationErrors(await validate(instance, options));
  if (faults.length === 0) return instance;
  throw parameterError(faults, MALFORMED_ERRORS[type]);
}

function describeBody(body: unknown): string {
  if (body === undefined) return 'nothing';
  if (body === null) return 'null';
  return Array.isArray(body) ? 'an array' : `a ${typeof body}`;
}

/**
 * Reads a parameter such as `@Query('page') page: number` as a value of its type. Rejects text that PostgreSQL cannot
 * store.
 */
function readParameter(value: unknown, { metatype, data }: ArgumentMetadata, type: ParameterSource): unknown {
  const refuse = (field: string, code: string, message: string): never => {
    throw faultError(MALFORMED_ERRORS[type], [{ field: field.slice(0, 40), code, message }]);
  };
  if (!isStorable(value)) {
    const name = data ?? Object.entries(value as object).find((entry) => !isStorable(entry))?.[0] ?? '';
    refuse(name, 'BAD_CHARACTER', UNSTORABLE_MESSAGE);
  }
  if (metatype !== Number && metatype !== Boolean) return value;
  const wanted = metatype === Number ? 'number' : 'boolean';
  // The access checks compare the digits of an id in the path, so `1.0` and `1e0` must not be read as 1.
  const isOtherwise = type === 'param' && Number.isInteger(Number(value)) && !/^-?\d+$/.test(String(value));
  const read = isOtherwise ? value : parseValue(value, wanted);
  if (read === undefined || typeof read === wanted) return read;
  if (type === 'param' && wanted === 'number') throw invalidIdError(String(value), data ?? '');
  return refuse(
    data ?? '',
    'WRONG_TYPE',
    `must be ${JSON_TYPES[wanted].typeName} (got ${describeValue(value)})`,
  );
}
