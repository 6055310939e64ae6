import { ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate, ValidationError } from 'class-validator';

import { decimalsOf, writtenNumber } from '../http/body/json-text.js';
import { ApiError, ErrorDetail, http, shortened } from '../http/errors/api-error.js';
import { faultError, FAULTS, MAX_FAULTS, parameterError } from './faults.js';
import { described, Dto } from './field.js';
import { notAnId } from './parse-id.pipe.js';
import { isStorable, withDecimals } from './rules.js';
import { codeOf, isDto, isObject, Json, Property, shapeOf, TYPES, ValueType } from './shape.js';

const MALFORMED = { body: http.VALIDATION_FAILED, query: http.INVALID_QUERY, param: http.INVALID_ID };
type Place = keyof typeof MALFORMED;

const UNSTORABLE = 'takes text without NUL and unpaired surrogates';

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
  const reader = new DtoReader(type !== 'body' || Object.getPrototypeOf(value) === null);
  const instance = reader.read(dto, value);
  reader.collect(await validate(instance, { forbidUnknownValues: false }));
  const { faults } = reader;
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

/** Makes instances of DTOs, and collects all faults. Unknown fields go first: each costs class-transformer a walk of all. */
export class DtoReader {
  readonly faults: ErrorDetail[] = [];
  private readonly known = new Set<string>();
  /** Fields of which rules have nothing to add. */
  private readonly judged = new Set<string>();
  private unknown = 0;

  /** @param isText all values are texts, as in a query, a path or a form */
  constructor(private readonly isText = false) {}

  /** @param path of the object in the body: empty, or with a point behind it */
  read<T extends object>(dto: Dto<T>, body: Json, path = ''): T {
    const { properties, names, ignored, defaults } = shapeOf(dto);
    const plain: Record<string, unknown> = {};
    const whole: Record<string, unknown> = {};
    for (const name of Object.keys(body)) {
      const property = properties.get(name);
      if (property) {
        const value = this.valueOf(property, body, path + name);
        if (value === undefined) continue;
        // Whatever has a structure of its own is kept from class-transformer, which would walk and copy it.
        if (!isFlat(value)) whole[name] = value;
        else plain[name] = this.isText && Array.isArray(value) && value.length === 1 ? value[0] : value;
      } else if (!ignored.has(name) && this.unknown++ < MAX_FAULTS) {
        const message = `is unknown; the fields are ${names}`;
        this.faults.push({ field: path + shortened(name, 40), code: 'UNKNOWN_FIELD', message });
      }
    }
    const instance = Object.assign(plainToInstance(dto, plain), whole);
    // As `@Transform()` gets the text of a list that is there once: it may split it.
    if (this.isText)
      for (const name of Object.keys(plain))
        if (properties.get(name)?.type === 'array')
          Object.assign(instance, { [name]: [instance[name]].flat() });
    for (const [name, value] of defaults)
      if (instance[name] === undefined) Object.assign(instance, { [name]: value });
    return instance;
  }

  collect(errors: readonly ValidationError[], path = ''): void {
    for (const error of errors) {
      const field = path + error.property;
      if (this.judged.has(field)) continue;
      for (const [name, message] of Object.entries(error.constraints ?? {})) {
        const code = faultCodeOf(error, name);
        // Of what is missing, nothing else is said; whether a value is an object, its type has told.
        if (name === 'nestedValidation' || (code !== 'REQUIRED' && error.value === undefined)) continue;
        this.add(field, code, code === 'REQUIRED' ? 'is missing, and required' : message);
      }
      this.collect(error.children ?? [], `${field}.`);
    }
  }

  /** The value of a property; `undefined` where it has a fault that rules cannot add to. */
  private valueOf(property: Property, body: Json, path: string): unknown {
    const { name, field, nested, type } = property;
    const value = this.isText ? typedByText(body[name], property) : body[name];
    if (!field && !isStorable(value)) {
      this.refuse(path, 'BAD_CHARACTER', UNSTORABLE);
      return undefined;
    }
    if (value !== undefined && !property.is(value)) {
      this.refuse(path, 'WRONG_TYPE', `got ${described(value, field?.options)}, takes ${property.takes}`);
      return undefined;
    }
    const written = field && writtenNumber(body, name);
    if (written !== undefined) this.judgeWritten(written, property, path);
    if (Array.isArray(value)) return nested || !field ? this.items(value, property, path) : value;
    if (nested && isObject(value)) return this.read(nested, value, `${path}.`);
    return type === 'date' && typeof value === 'string' && !field ? dateOf(value) : value;
  }

  private items(
    items: readonly unknown[],
    { nested, itemType, maxItems }: Property,
    path: string,
  ): unknown[] {
    if (items.length > maxItems)
      this.add(path, 'TOO_MANY', `got an array of ${items.length}, takes at most ${maxItems} items`);
    // What lies beyond is not looked at: a list of any length costs no more than a full one.
    return items.slice(0, maxItems).map((item, index) => {
      const field = `${path}.${index}`;
      const type = nested ? 'object' : itemType;
      if (type !== undefined && !TYPES[type].is(item)) {
        if (!nested) this.judged.add(path);
        this.refuse(field, 'WRONG_TYPE', `got ${described(item)}, takes ${TYPES[type].typeName}`);
        return null;
      }
      if (nested) return this.read(nested, item as Json, `${field}.`);
      return itemType === 'date' ? dateOf(item as string) : item;
    });
  }

  /** Judges a number as it was written, where rounding hides its fault: `19.9900000000000000001` as money. */
  private judgeWritten(written: string, { field }: Property, path: string): void {
    const { decimals, typeName = '' } = field?.kind ?? {};
    if (decimals === undefined || decimalsOf(written) <= decimals) return;
    const got = `got ${shortened(written, 40)}, takes`;
    if (decimals === 0) this.refuse(path, 'WRONG_TYPE', `${got} ${typeName}`);
    else this.add(path, 'TOO_PRECISE', `${got} ${withDecimals(decimals)}`);
  }

  private refuse(field: string, code: string, message: string): void {
    this.judged.add(field);
    this.add(field, code, message);
  }

  private add(field: string, code: string, message: string): void {
    const key = `${field} ${code}`;
    if (this.known.has(key)) return;
    this.known.add(key);
    this.faults.push({ field, code, message });
  }
}

function faultCodeOf({ target, property, value, contexts }: ValidationError, name: string): string {
  if (name in FAULTS) return name;
  if (value === undefined) return 'REQUIRED';
  const { rules = [] } = shapeOf(target?.constructor as Dto).properties.get(property) ?? {};
  const rule = rules.find((candidate) => candidate.name === name);
  // class-validator gives an error the contexts of some of its rules only.
  const { code } = (rule?.context ?? contexts?.[name] ?? {}) as { code?: unknown };
  if (typeof code === 'string') return code;
  return value === null ? 'WRONG_TYPE' : codeOf(name, value, rule?.constraints ?? []);
}

const isFlat = (value: unknown): boolean =>
  Array.isArray(value) ? value.every((item) => typeof item !== 'object') : typeof value !== 'object';

/** ISO 8601, a day or a point in time, which is in UTC without an offset. Anything else is an invalid date, which no rule takes. */
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

function dateOf(text: string): Date {
  const found = DATE.exec(text);
  // JavaScript takes a day alone for UTC, and a time without an offset for the zone of the machine.
  return new Date(found ? text + (found[1] || text.length === 10 ? '' : 'Z') : NaN);
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** The value that a text stands for; the text itself where it stands for none of that type. */
function fromText(text: unknown, type: ValueType | undefined): unknown {
  if (typeof text !== 'string') return text;
  if (type === 'number' && NUMBER.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** A parameter as the value of a property: a list may be there once. */
function typedByText(given: unknown, { type, itemType }: Property): unknown {
  if (type !== 'array') return fromText(given, type);
  return [given].flat().map((item) => fromText(item, itemType));
}
