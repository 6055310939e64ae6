import { ApiError } from '../http/errors/api-error.js';
import { ErrorType } from '../http/errors/catalogue.js';
import { UNPROCESSABLE_ENTITY } from '../http/errors/http.errors.js';
import { ValueType } from './constraints.js';
import { Fault, faultError, statusOf } from './faults.js';
import { Dto } from './field.js';
import { JsonSchema } from './json-schema.js';
import { readBody, RuleOptions } from './read-payload.js';
import { Property, shapeOf } from './shape.js';

/** The DTO that parameters are read as, and how their faults are answered. */
export interface ParameterShape {
  readonly dto: Dto;
  /** The error where they are malformed. */
  readonly malformed: ErrorType;
  readonly dropsUnknown?: boolean;
  readonly rules?: RuleOptions;
}

type Parameters = Readonly<Record<string, unknown>>;

/**
 * Reads parameters of a query, a path or a form, which are all texts, as an instance of a DTO: numbers, booleans, dates
 * and arrays by the types that its properties declare. Numbers are decimal digits, booleans `true` and `false`; nothing
 * else is taken for one.
 *
 * @throws ApiError of the kind `malformed` (400), or `UNPROCESSABLE_ENTITY`
 */
export function readParameters(parameters: Parameters, shape: ParameterShape): object | Promise<object> {
  const { dto, malformed, ...options } = shape;
  const errorOf = (faults: readonly Fault[]): ApiError => parameterError(faults, malformed);
  return readBody(typed(parameters, dto), { ...options, dto, representation: undefined, errorOf });
}

/** The error for faults of parameters. */
function parameterError(faults: readonly Fault[], malformed: ErrorType): ApiError {
  // A word that is not one of those that there are is a malformed parameter, as in lists.
  const isMalformed = (fault: Fault): boolean => statusOf(fault) === 400 || fault.code === 'NOT_ALLOWED';
  const sorted = [...faults.filter(isMalformed), ...faults.filter((fault) => !isMalformed(fault))];
  return faultError(faults.some(isMalformed) ? malformed : UNPROCESSABLE_ENTITY, sorted);
}

/** The parameters with values of the types that are declared, as far as their texts are such values. */
function typed(parameters: Parameters, dto: Dto): Parameters {
  const { properties } = shapeOf(dto);
  const values: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(parameters)) {
    const property = properties.get(name);
    values[name] = property ? typedValue(given, property) : given;
  }
  return values;
}

function typedValue(given: unknown, { field, type, itemType, transform }: Property): unknown {
  if (transform) return given;
  const schema = field?.kind.schema;
  const wanted = schema ? typeOfSchema(schema) : type;
  if (wanted !== 'array') return fromText(given, wanted);
  const items = schema?.items ? typeOfSchema(schema.items) : itemType;
  return [given].flat().map((item) => fromText(item, items));
}

function typeOfSchema({ type }: JsonSchema): ValueType | undefined {
  return type === 'integer' ? 'number' : type;
}

/** Whether a property may be there more than once. */
export const isRepeatable = ({ field, type, transform }: Property): boolean =>
  (field?.kind.schema.type ?? type) === 'array' || transform !== undefined;

const NUMBER = /^-?\d{1,400}(?:\.\d{1,400})?$/;

/** The value that a text stands for; the text itself where it stands for none of that type. */
export function fromText(text: unknown, type: ValueType | undefined): unknown {
  if (typeof text !== 'string') return text;
  if (type === 'number') {
    const number = NUMBER.test(text) ? Number(text) : NaN;
    return Number.isFinite(number) ? number : text;
  }
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
