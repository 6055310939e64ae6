import * as classValidator from 'class-validator';

import { FaultCode } from './faults.js';
import { JsonSchema } from './json-schema.js';

/** The JSON type of a value, as far as a decorator or a declared type tells. */
export type ValueType = 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object';

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface NamedType {
  readonly is: (value: unknown) => boolean;
  /** In messages. */
  readonly name: string;
}

export const TYPES: Readonly<Record<ValueType, NamedType>> = {
  string: { is: (value) => typeof value === 'string', name: 'a string' },
  number: { is: (value) => typeof value === 'number', name: 'a number' },
  boolean: { is: (value) => typeof value === 'boolean', name: 'true or false' },
  date: { is: (value) => typeof value === 'string', name: 'a time such as 2026-11-20T09:30:00.000Z' },
  array: { is: Array.isArray, name: 'an array' },
  object: { is: isObject, name: 'an object' },
};

/** The fault and the schema that follow from one of class-validator's constraints. */
interface Constraint {
  /** The fault of a value that violates it. */
  readonly code: FaultCode | ((value: unknown, args: readonly unknown[]) => FaultCode);
  /** The type that it takes a value to be; left out: several. */
  readonly type?: ValueType;
  /** Its part of the documentation. */
  readonly schema?: (args: readonly unknown[]) => JsonSchema;
}

const sizeOf = (value: unknown): number => (value as { length?: number } | undefined)?.length ?? 0;

/** An enum as TypeScript compiles it: one of numbers has its names as values too. */
const valuesOf = (members: object): (string | number)[] =>
  Object.entries(members).flatMap(([name, value]) => (/^\d+$/.test(name) ? [] : [value as string | number]));

const text = (format?: string): Constraint => ({
  code: 'BAD_FORMAT',
  type: 'string',
  ...(format && { schema: () => ({ format }) }),
});
const wrongType = (type?: ValueType): Constraint => ({ code: 'WRONG_TYPE', ...(type && { type }) });
const notAllowed: Constraint = { code: 'NOT_ALLOWED' };

/**
 * The table from class-validator's constraints, by their names, to codes of the catalogue: with `FAULTS` it decides
 * between 400 and 422. Of class-validator's others each is about a form of text (`isIBAN`).
 */
export const CONSTRAINTS: Readonly<Record<string, Constraint>> = {
  isDefined: { code: 'REQUIRED' },
  isNotEmpty: { code: 'BLANK', schema: () => ({ minLength: 1 }) },
  isEmpty: notAllowed,
  equals: notAllowed,
  notEquals: notAllowed,
  isIn: { code: 'NOT_ALLOWED', schema: ([values]) => ({ enum: values as string[] }) },
  isNotIn: notAllowed,
  isEnum: { code: 'NOT_ALLOWED', schema: ([members]) => ({ enum: valuesOf(members as object) }) },
  isInstance: wrongType('object'),
  isBoolean: wrongType('boolean'),
  isDate: { code: 'BAD_FORMAT', type: 'date' },
  isString: wrongType('string'),
  isNumber: {
    code: (value) => (typeof value === 'number' && Number.isFinite(value) ? 'TOO_PRECISE' : 'WRONG_TYPE'),
    type: 'number',
  },
  isInt: { code: 'WRONG_TYPE', type: 'number', schema: () => ({ type: 'integer' }) },
  isArray: wrongType('array'),
  isObject: wrongType('object'),
  isNotEmptyObject: { code: 'TOO_FEW', type: 'object' },
  isDivisibleBy: { code: 'NOT_ALLOWED', type: 'number' },
  isPositive: { code: 'TOO_SMALL', type: 'number' },
  isNegative: { code: 'TOO_LARGE', type: 'number' },
  min: { code: 'TOO_SMALL', type: 'number', schema: ([minimum]) => ({ minimum: Number(minimum) }) },
  max: { code: 'TOO_LARGE', type: 'number', schema: ([maximum]) => ({ maximum: Number(maximum) }) },
  minDate: { code: 'TOO_SMALL', type: 'date' },
  maxDate: { code: 'TOO_LARGE', type: 'date' },
  minLength: {
    code: 'TOO_SHORT',
    type: 'string',
    schema: ([minLength]) => ({ minLength: Number(minLength) }),
  },
  maxLength: {
    code: 'TOO_LONG',
    type: 'string',
    schema: ([maxLength]) => ({ maxLength: Number(maxLength) }),
  },
  isLength: {
    code: (value, [min]) => (sizeOf(value) < Number(min) ? 'TOO_SHORT' : 'TOO_LONG'),
    type: 'string',
    schema: ([min, max]) => ({
      minLength: Number(min),
      ...(max !== undefined && { maxLength: Number(max) }),
    }),
  },
  isByteLength: {
    code: (value, [min]) =>
      Buffer.byteLength(typeof value === 'string' ? value : '') < Number(min) ? 'TOO_SHORT' : 'TOO_LONG',
    type: 'string',
  },
  arrayMinSize: { code: 'TOO_FEW', type: 'array', schema: ([minItems]) => ({ minItems: Number(minItems) }) },
  arrayMaxSize: { code: 'TOO_MANY', type: 'array', schema: ([maxItems]) => ({ maxItems: Number(maxItems) }) },
  arrayNotEmpty: { code: 'TOO_FEW', type: 'array', schema: () => ({ minItems: 1 }) },
  arrayUnique: { code: 'DUPLICATE', type: 'array' },
  arrayContains: { code: 'NOT_ALLOWED', type: 'array' },
  arrayNotContains: { code: 'NOT_ALLOWED', type: 'array' },
  contains: text(),
  notContains: text(),
  matches: text(),
  isEmail: text('email'),
  isUrl: text('uri'),
  isUuid: text('uuid'),
  isDateString: text('date-time'),
  isIso8601: text('date-time'),
  isRFC3339: text('date-time'),
  isLatLong: { code: 'BAD_FORMAT' },
  isLatitude: { code: 'BAD_FORMAT' },
  isLongitude: { code: 'BAD_FORMAT' },
  isPort: text(),
};

/** The names of class-validator's own constraints, which it exports as constants. */
const BUILT_IN = new Set<unknown>(Object.values(classValidator).filter((value) => typeof value === 'string'));

/** Whether a constraint is a team's own: it may be asynchronous. */
export const isCustom = (name: string): boolean => !BUILT_IN.has(name);

/** The code of a violated constraint of class-validator's own, or of a team's. */
export function codeOf(name: string, value: unknown, args: readonly unknown[]): FaultCode {
  const code = CONSTRAINTS[name]?.code ?? (isCustom(name) ? 'NOT_ALLOWED' : 'BAD_FORMAT');
  return typeof code === 'function' ? code(value, args) : code;
}
