import { plainToInstance } from 'class-transformer';
import { ValidationError, validateSync } from 'class-validator';

import { ApiError } from '../http/errors/api-error.js';
import { INVALID_JSON } from '../http/errors/http.errors.js';
import { bodyError, Fault, FaultCode } from './faults.js';
import { Dto, FieldKind, fieldsOf } from './field.js';

/** What a body is read as, and the representation it may have been copied from. */
export interface PayloadShape<T extends object = object> {
  readonly dto: Dto<T>;
  /** Its fields that `dto` does not declare belong to the server: they are ignored, not unknown. */
  readonly representation: Dto | undefined;
}

type Json = Readonly<Record<string, unknown>>;

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
  if (faults.length > 0) throw bodyError(faults);
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
      kept[name] = keepNested(value, field.kind, owned?.get(name)?.kind.nested, path + name, faults);
    } else if (!owned?.has(name)) {
      const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name;
      faults.push({ field: path + shown, code: 'UNKNOWN_FIELD', message: unknownField(declared.keys()) });
    }
  }
  return kept;
}

function keepNested(
  value: unknown,
  { nested: dto, schema, rules }: FieldKind<unknown>,
  owned: Dto | undefined,
  path: string,
  faults: Fault[],
): unknown {
  if (!dto) return value;
  if (isObject(value)) return keepDeclared(value, dto, owned, `${path}.`, faults);
  if (!Array.isArray(value)) return value;
  const { maxItems = value.length } = schema;
  if (value.length > maxItems) {
    const takes = rules.find(({ code }) => code === 'TOO_MANY')?.violated(value) ?? `at most ${maxItems}`;
    faults.push({
      field: path,
      code: 'TOO_MANY',
      message: `got an array of ${value.length}, takes ${takes}`,
    });
  }
  // What lies beyond is not looked at: a list of any length costs no more than a full one.
  return value.slice(0, maxItems).map((item: unknown, index) => {
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
    // What is of the wrong type has no fields to judge.
    const isJudged = faults.some((fault) => fault.field === field && fault.code === 'WRONG_TYPE');
    if (error.children?.length && !isJudged) collect(error.children, `${field}.`, faults);
  }
}

function fillDefaults<T extends object>(payload: T, dto: Dto<T>): T {
  const values = payload as Record<string, unknown>;
  for (const [name, { kind, options }] of fieldsOf(dto)) {
    const value = values[name];
    if (value === undefined && 'default' in options) values[name] = options.default;
    if (!kind.nested || value === undefined || value === null) continue;
    for (const item of [value].flat() as object[]) fillDefaults(item, kind.nested);
  }
  return payload;
}
