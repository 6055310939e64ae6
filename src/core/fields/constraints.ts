import * as classValidator from 'class-validator';

import { FaultCode } from './faults.js';

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

/** The fault that follows from one of class-validator's constraints. */
interface Constraint {
  /** The fault of a value that violates it. */
  readonly code: FaultCode | ((value: unknown, args: readonly unknown[]) => FaultCode);
  /** The type that it takes a value to be; left out: several. */
  readonly type?: ValueType;
}

const sizeOf = (value: unknown): number => (value as { length?: number } | undefined)?.length ?? 0;

const constraint = (code: Constraint['code'], type?: ValueType): Constraint => ({
  code,
  ...(type && { type }),
});
const text = constraint('BAD_FORMAT', 'string');

/**
 * The table from class-validator's constraints, by their names, to codes of the catalogue: with `FAULTS` it decides
 * between 400 and 422. Of class-validator's others each is about a form of text (`isIBAN`).
 */
export const CONSTRAINTS: Readonly<Record<string, Constraint>> = {
  isDefined: constraint('REQUIRED'),
  isNotEmpty: constraint('BLANK'),
  isEmpty: constraint('NOT_ALLOWED'),
  equals: constraint('NOT_ALLOWED'),
  notEquals: constraint('NOT_ALLOWED'),
  isIn: constraint('NOT_ALLOWED'),
  isNotIn: constraint('NOT_ALLOWED'),
  isEnum: constraint('NOT_ALLOWED'),
  isInstance: constraint('WRONG_TYPE', 'object'),
  isBoolean: constraint('WRONG_TYPE', 'boolean'),
  isDate: constraint('BAD_FORMAT', 'date'),
  isString: constraint('WRONG_TYPE', 'string'),
  isNumber: constraint((value) => (Number.isFinite(value) ? 'TOO_PRECISE' : 'WRONG_TYPE'), 'number'),
  isInt: constraint('WRONG_TYPE', 'number'),
  isArray: constraint('WRONG_TYPE', 'array'),
  isObject: constraint('WRONG_TYPE', 'object'),
  isNotEmptyObject: constraint('TOO_FEW', 'object'),
  isDivisibleBy: constraint('NOT_ALLOWED', 'number'),
  isPositive: constraint('TOO_SMALL', 'number'),
  isNegative: constraint('TOO_LARGE', 'number'),
  min: constraint('TOO_SMALL', 'number'),
  max: constraint('TOO_LARGE', 'number'),
  minDate: constraint('TOO_SMALL', 'date'),
  maxDate: constraint('TOO_LARGE', 'date'),
  minLength: constraint('TOO_SHORT', 'string'),
  maxLength: constraint('TOO_LONG', 'string'),
  isLength: constraint((value, [min]) => (sizeOf(value) < Number(min) ? 'TOO_SHORT' : 'TOO_LONG'), 'string'),
  isByteLength: constraint(
    (value, [min]) =>
      Buffer.byteLength(typeof value === 'string' ? value : '') < Number(min) ? 'TOO_SHORT' : 'TOO_LONG',
    'string',
  ),
  arrayMinSize: constraint('TOO_FEW', 'array'),
  arrayMaxSize: constraint('TOO_MANY', 'array'),
  arrayNotEmpty: constraint('TOO_FEW', 'array'),
  arrayUnique: constraint('DUPLICATE', 'array'),
  arrayContains: constraint('NOT_ALLOWED', 'array'),
  arrayNotContains: constraint('NOT_ALLOWED', 'array'),
  contains: text,
  notContains: text,
  matches: text,
  isEmail: text,
  isUrl: text,
  isUuid: text,
  isDateString: text,
  isIso8601: text,
  isRFC3339: text,
  isLatLong: constraint('BAD_FORMAT'),
  isLatitude: constraint('BAD_FORMAT'),
  isLongitude: constraint('BAD_FORMAT'),
  isPort: text,
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
