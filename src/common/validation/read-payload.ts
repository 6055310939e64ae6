import { plainToInstance } from 'class-transformer';
import { ValidationError, validateSync } from 'class-validator';

import { ApiError } from '#src/common/errors/api-error.js';
import { INVALID_JSON } from '#src/common/errors/http.errors.js';

import { bodyError, Fault, FaultCode } from './faults.js';
import { Dto, fieldsOf } from './field.js';

/** What a body is read as, and the representation it may have been copied from. */
export interface PayloadShape<T extends object = object> {
  readonly dto: Dto<T>;
  /** Its fields that `dto` does not declare belong to the server: they are ignored, not unknown. */
  readonly representation: Dto | undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** The only index into an array that is worth a fault each; the rest of a long list would say the same. */
const MAX_FAULTS = 100;

/**
 * Reads a parsed body as an instance of `dto`: all faults at once, defaults filled in.
 *
 * @throws ApiError `INVALID_JSON` where it is no object, `VALIDATION_FAILED` (400) or `UNPROCESSABLE_ENTITY` (422)
 */
export function readPayload<T extends object>(body: unknown, shape: PayloadShape<T>): T {
  if (!isObject(body))
    throw new ApiError(INVALID_JSON, `The body is ${nameOf(body)}; it takes a JSON object.`);
  const faults: Fault[] = [];
  const known = keepDeclared(body, shape.dto, shape.representation, '', faults);
  const payload = plainToInstance(shape.dto, known);
  const options = { validationError: { target: false }, forbidUnknownValues: false };
  collect(validateSync(payload, options), '', faults);
  if (faults.length > 0) throw bodyError(faults.slice(0, MAX_FAULTS));
  return fillDefaults(payload, shape.dto);
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function nameOf(body: unknown): string {
  if (body === undefined) return 'empty';
  if (body === null) return 'null';
  return Array.isArray(body) ? 'an array' : `a ${typeof body}`;
}

/** A copy of the body without the server's own fields; those that nobody knows become faults. */
function keepDeclared(
  body: Json,
  dto: Dto,
  representation: Dto | undefined,
  path: string,
  faults: Fault[],
): Record<string, unknown> {
  const declared = fieldsOf(dto);
  const owned = representation && fieldsOf(representation);
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const field = declared.get(name);
    if (field) {
      const { nested } = field.kind;
      kept[name] = nested
        ? keepNested(value, nested, owned?.get(name)?.kind.nested, path + name, faults)
        : value;
    } else if (!owned?.has(name)) {
      faults.push({ field: path + name, code: 'UNKNOWN_FIELD', message: unknownField(declared.keys()) });
    }
  }
  return kept;
}

function keepNested(
  value: unknown,
  dto: Dto,
  owned: Dto | undefined,
  path: string,
  faults: Fault[],
): unknown {
  if (isObject(value)) return keepDeclared(value, dto, owned, `${path}.`, faults);
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown, index) => {
    if (isObject(item)) return keepDeclared(item, dto, owned, `${path}.${index}.`, faults);
    faults.push({
      field: `${path}.${index}`,
      code: 'WRONG_TYPE',
      message: `is ${nameOf(item)}, takes an object`,
    });
    // Judged already: an empty object of its own keeps class-validator from judging it again.
    return {};
  });
}

const unknownField = (declared: Iterable<string>): string =>
  `is unknown; the fields are ${[...declared].join(', ')}`;

function collect(errors: readonly ValidationError[], path: string, faults: Fault[]): void {
  for (const error of errors) {
    const field = path + error.property;
    for (const [code, message] of Object.entries(error.constraints ?? {})) {
      // class-validator's own complaint about a value that has no fields; its type was judged by ours.
      if (code !== 'nestedValidation') faults.push({ field, code: code as FaultCode, message });
    }
    const isJudged = faults.some((fault) => fault.field === field);
    if (error.children?.length && !isJudged) collect(error.children, `${field}.`, faults);
  }
}

function fillDefaults<T extends object>(payload: T, dto: Dto<T>): T {
  const values = payload as Record<string, unknown>;
  for (const [name, { options }] of fieldsOf(dto)) {
    if (values[name] === undefined && 'default' in options) values[name] = options.default;
  }
  return payload;
}
