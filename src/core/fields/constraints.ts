import * as classValidator from 'class-validator';

import { FaultCode } from './faults.js';

/** The JSON type of a value, as far as a decorator or a declared type tells. */
export type ValueType = 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object';

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface NamedType {
  readonly is: (value: unknown) => boolean;
  readonly typeName: string;
}

export const TYPES: Readonly<Record<ValueType | 'integer', NamedType>> = {
  string: { is: (value) => typeof value === 'string', typeName: 'a string' },
  number: { is: (value) => typeof value === 'number', typeName: 'a number' },
  integer: { is: Number.isInteger, typeName: 'an integer' },
  boolean: { is: (value) => typeof value === 'boolean', typeName: 'true or false' },
  date: { is: (value) => typeof value === 'string', typeName: 'a time such as 2026-11-20T09:30:00.000Z' },
  array: { is: Array.isArray, typeName: 'an array' },
  object: { is: isObject, typeName: 'an object' },
};

/** The codes of class-validator's constraints. Of its others each is about a form of text (`isIBAN`). */
const CODES = byName<FaultCode>({
  REQUIRED: 'isDefined',
  WRONG_TYPE: 'isInstance isBoolean isString isInt isArray isObject',
  BLANK: 'isNotEmpty',
  NOT_ALLOWED: 'isEmpty equals notEquals isIn isNotIn isEnum isDivisibleBy arrayContains arrayNotContains',
  TOO_FEW: 'isNotEmptyObject arrayMinSize arrayNotEmpty',
  TOO_MANY: 'arrayMaxSize',
  DUPLICATE: 'arrayUnique',
  TOO_SMALL: 'isPositive min minDate',
  TOO_LARGE: 'isNegative max maxDate',
  TOO_SHORT: 'minLength',
  TOO_LONG: 'maxLength',
});

/** The types that constraints take a value to be; of others there are several. */
const TYPES_OF = byName<ValueType>({
  string:
    'isString minLength maxLength isLength isByteLength contains notContains matches isEmail isUrl isUuid ' +
    'isDateString isIso8601 isRFC3339 isPort',
  number: 'isNumber isInt isDivisibleBy isPositive isNegative min max',
  boolean: 'isBoolean',
  date: 'isDate minDate maxDate',
  array: 'isArray arrayMinSize arrayMaxSize arrayNotEmpty arrayUnique arrayContains arrayNotContains',
  object: 'isInstance isObject isNotEmptyObject',
});

function byName<T extends string>(names: Readonly<Partial<Record<T, string>>>): ReadonlyMap<string, T> {
  const entries = Object.entries(names) as [T, string][];
  return new Map(entries.flatMap(([value, all]) => all.split(' ').map((name) => [name, value] as const)));
}

export const typeOfConstraint = (name = ''): ValueType | undefined => TYPES_OF.get(name);

/** The names of class-validator's own constraints, which it exports as constants. */
const BUILT_IN = new Set<unknown>(Object.values(classValidator).filter((value) => typeof value === 'string'));

export function codeOf(name: string, value: unknown, [min]: readonly unknown[]): FaultCode {
  if (name === 'isNumber') return Number.isFinite(value) ? 'TOO_PRECISE' : 'WRONG_TYPE';
  if (name === 'isLength') return String(value).length < Number(min) ? 'TOO_SHORT' : 'TOO_LONG';
  if (name === 'isByteLength')
    return Buffer.byteLength(String(value)) < Number(min) ? 'TOO_SHORT' : 'TOO_LONG';
  return CODES.get(name) ?? (BUILT_IN.has(name) ? 'BAD_FORMAT' : 'NOT_ALLOWED');
}
