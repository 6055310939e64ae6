import { ArgumentMetadata, HttpException, PipeTransform } from '@nestjs/common';

import { described } from '../fields/field.js';
import { isStorable } from '../fields/json-fields.js';
import { ValueType } from '../fields/constraints.js';
import { fromText, ParameterShape, readParameters } from '../fields/read-parameters.js';
import { PayloadShape, readBody } from '../fields/read-payload.js';
import { ApiError } from '../http/errors/api-error.js';
import { ErrorType } from '../http/errors/catalogue.js';
import { messageOf } from '../http/errors/foreign-errors.js';
import { UNPROCESSABLE_ENTITY } from '../http/errors/http.errors.js';

/** A pipe that routes are given at start. */
export abstract class GivenPipe implements PipeTransform {
  abstract transform(value: unknown, metadata: ArgumentMetadata): unknown;
}

/** Reads `@Body()` as its DTO. What another pipe made an instance of is taken as it is. */
export class DtoPipe extends GivenPipe {
  constructor(private readonly shape: PayloadShape) {
    super();
  }

  transform(value: unknown): unknown {
    return value instanceof this.shape.dto ? value : readBody(value, this.shape);
  }
}

/** Reads `@Query()`, `@Param()` or the fields of a form as their DTO. */
export class ParametersPipe extends GivenPipe {
  constructor(private readonly shape: ParameterShape) {
    super();
  }

  transform(value: unknown): unknown {
    if (value instanceof this.shape.dto) return value;
    return readParameters((value ?? {}) as Record<string, unknown>, this.shape);
  }
}

/** Where a single parameter stands, and the error where it is malformed. */
export interface ParameterPlace {
  readonly name: string;
  readonly malformed: ErrorType;
}

/**
 * Reads `@Query('page') page: number` and `@Param('id') id: number`, which have no pipe of their own, by their types.
 */
export class TypedPipe extends GivenPipe {
  constructor(
    private readonly type: Extract<ValueType, 'number' | 'boolean'>,
    private readonly place: ParameterPlace,
  ) {
    super();
  }

  transform(value: unknown): unknown {
    const read = fromText(value, this.type);
    if (read === undefined || typeof read === this.type) return read;
    const takes = this.type === 'number' ? 'a number' : 'true or false';
    throw faultOf(this.place, 'WRONG_TYPE', `got ${described(value)}, takes ${takes}`);
  }
}

/** Refuses text that cannot be stored in a query or a path that nothing else judges. */
export class TextPipe extends GivenPipe {
  /** @param place its name is empty where the parameter is all of the query or path */
  constructor(private readonly place: ParameterPlace) {
    super();
  }

  transform(value: unknown): unknown {
    if (isStorable(value)) return value;
    const { malformed, name } = this.place;
    const found = name || Object.entries(value as object).find((entry) => !isStorable(entry))?.[0] || name;
    const place = { malformed, name: found.slice(0, 40) };
    throw faultOf(place, 'BAD_CHARACTER', 'takes text without NUL and unpaired surrogates');
  }
}

/** A pipe of a parameter (`ParseIntPipe`), whose errors say which parameter they are about. */
export class NamedPipe extends GivenPipe {
  constructor(
    readonly original: PipeTransform,
    private readonly place: ParameterPlace,
  ) {
    super();
  }

  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    try {
      return (await this.original.transform(value, metadata)) as unknown;
    } catch (error) {
      throw this.translated(error, value);
    }
  }

  private translated(error: unknown, value: unknown): unknown {
    const status = error instanceof HttpException ? error.getStatus() : undefined;
    if (status !== 400 && status !== 422) return error;
    const message = messageOf(error as HttpException) ?? `got ${described(value)}`;
    if (value === undefined) return faultOf(this.place, 'REQUIRED', message);
    if (status === 422)
      return faultOf({ ...this.place, malformed: UNPROCESSABLE_ENTITY }, 'NOT_ALLOWED', message);
    return faultOf(this.place, 'WRONG_TYPE', message);
  }
}

function faultOf({ name, malformed }: ParameterPlace, code: string, message: string): ApiError {
  return new ApiError(malformed, `${name}: ${message}`, { details: [{ field: name, code, message }] });
}
