import { ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { validate } from 'class-validator';

import { ApiError, http } from '../http/errors/api-error.js';
import { DtoReader, fromText, UNSTORABLE } from './dto-reader.js';
import { faultError, parameterError } from './faults.js';
import { described, Dto } from './field.js';
import { notAnId } from './parse-id.pipe.js';
import { isStorable } from './rules.js';
import { isDto, isObject, TYPES } from './shape.js';

const MALFORMED = { body: http.VALIDATION_FAILED, query: http.INVALID_QUERY, param: http.INVALID_ID };
type Place = keyof typeof MALFORMED;

/** The `ValidationPipe`, by `APP_PIPE`: all faults at once, 400 or 422. It converts texts of queries, paths and forms only. */
@Injectable()
export class DtoValidationPipe extends ValidationPipe {
  /** @throws ApiError `INVALID_JSON`, `VALIDATION_FAILED`, `INVALID_QUERY`, `INVALID_ID`, `UNPROCESSABLE_ENTITY` */
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (type === 'custom') return value;
    if (isDto(metatype)) return readDto(metatype, value, type);
    return type === 'body' ? value : readParameter(value, metadata, type);
  }
}

export async function readDto<T extends object>(dto: Dto<T>, value: unknown, type: Place): Promise<T> {
  if (!isObject(value))
    throw new ApiError(http.INVALID_JSON, `The body is ${nameOf(value)}; it takes a JSON object.`);
  // The fields of a form are texts, in an object without a prototype.
  const isText = type !== 'body' || Object.getPrototypeOf(value) === null;
  const reader = new DtoReader(isText, type === 'body');
  const instance = reader.read(dto, value);
  const { faults, isStrict } = reader;
  const options = { forbidUnknownValues: false, whitelist: isStrict, forbidNonWhitelisted: isStrict };
  reader.collect(await validate(instance, options));
  if (faults.length === 0) return instance;
  throw parameterError(faults, MALFORMED[type]);
}

function nameOf(body: unknown): string {
  if (body === undefined) return 'empty';
  if (body === null) return 'null';
  return Array.isArray(body) ? 'an array' : `a ${typeof body}`;
}

/** Reads `@Query('page') page: number` by its type, and refuses text that cannot be stored. */
function readParameter(value: unknown, { metatype, data }: ArgumentMetadata, type: Place): unknown {
  const refuse = (field: string, code: string, message: string): never => {
    throw faultError(MALFORMED[type], [{ field: field.slice(0, 40), code, message }]);
  };
  if (!isStorable(value)) {
    const name = data ?? Object.entries(value as object).find((entry) => !isStorable(entry))?.[0] ?? '';
    refuse(name, 'BAD_CHARACTER', UNSTORABLE);
  }
  if (metatype !== Number && metatype !== Boolean) return value;
  const wanted = metatype === Number ? 'number' : 'boolean';
  // Access is decided by the digits of an id: `1.0` and `1e0` are not taken for it.
  const isOtherwise = type === 'param' && Number.isInteger(Number(value)) && !/^-?\d+$/.test(String(value));
  const read = isOtherwise ? value : fromText(value, wanted);
  if (read === undefined || typeof read === wanted) return read;
  if (type === 'param' && wanted === 'number') throw notAnId(String(value), data ?? '');
  return refuse(data ?? '', 'WRONG_TYPE', `got ${described(value)}, takes ${TYPES[wanted].typeName}`);
}
