import { plainToInstance } from 'class-transformer';
import * as classValidator from 'class-validator';

import { shortened } from '../http/errors/api-error.js';
import { FaultCode } from './faults.js';
import { Declaration, Dto, FieldKind, fieldsOf, ignoredBy } from './field.js';

/** The JSON type of a value, as far as a decorator or a declared type tells. */
export type ValueType = 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object';

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const TYPES: Readonly<Record<ValueType | 'integer', Pick<FieldKind, 'is' | 'typeName'>>> = {
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

/** The names of class-validator's own constraints, which it exports as constants. */
const BUILT_IN = new Set<unknown>(Object.values(classValidator).filter((value) => typeof value === 'string'));

export function codeOf(name: string, value: unknown, [min]: readonly unknown[]): FaultCode {
  if (name === 'isNumber') return Number.isFinite(value) ? 'TOO_PRECISE' : 'WRONG_TYPE';
  if (name === 'isLength') return String(value).length < Number(min) ? 'TOO_SHORT' : 'TOO_LONG';
  if (name === 'isByteLength')
    return Buffer.byteLength(String(value)) < Number(min) ? 'TOO_SHORT' : 'TOO_LONG';
  return CODES.get(name) ?? (BUILT_IN.has(name) ? 'BAD_FORMAT' : 'NOT_ALLOWED');
}

export type Rule = ReturnType<
  ReturnType<typeof classValidator.getMetadataStorage>['getTargetValidationMetadatas']
>[number];

export interface Property {
  readonly name: string;
  /** The declaration of its field decorator; `undefined`: it has only decorators of class-validator. */
  readonly field: Declaration | undefined;
  /** `undefined`: anything, as of a union. */
  readonly type: ValueType | undefined;
  readonly itemType: ValueType | undefined;
  /** The class of a nested value, or of each item of an array. */
  readonly nested: Dto | undefined;
  readonly maxItems: number;
  readonly is: (value: unknown) => boolean;
  readonly takes: string;
  readonly rules: readonly Rule[];
}

/** A DTO as it is read: worked out once for each class. */
export interface Shape {
  readonly properties: ReadonlyMap<string, Property>;
  readonly names: string;
  readonly ignored: ReadonlySet<string>;
  readonly defaults: readonly (readonly [name: string, value: unknown])[];
}

/** Items that an array takes whose class sets no bound by `@ArrayMaxSize()`: more would hold up everybody else. */
const MAX_ITEMS = 500;

const shapes = new WeakMap<Dto, Shape>();

/** @throws Error for a declaration that would be ignored in silence, naming class and property */
export function shapeOf(dto: Dto): Shape {
  const known = shapes.get(dto);
  if (known) return known;
  const fields = fieldsOf(dto);
  const rules = rulesOf(dto);
  const names = new Set([...fields.keys(), ...rules.map(({ propertyName }) => propertyName)]);
  const properties = [...names].map((name) => {
    const field = fields.get(name);
    const own = rules.filter(({ propertyName }) => propertyName === name);
    return [name, field ? ofField(name, own, field) : ofRules(dto, name, own)] as const;
  });
  const defaults = [...fields].flatMap(([name, { options }]) =>
    'default' in options ? [[name, options.default] as const] : [],
  );
  const shape = {
    properties: new Map(properties),
    names: shortened([...names].join(', '), 200),
    ignored: ignoredBy(dto),
    defaults,
  };
  shapes.set(dto, shape);
  return shape;
}

function ofField(name: string, rules: readonly Rule[], field: Declaration): Property {
  const { schema, nested, is, typeName } = field.kind;
  const takesNull = field.options.nullable === true;
  const typeOf = (type = schema.type): ValueType | undefined => (type === 'integer' ? 'number' : type);
  return {
    name,
    field,
    rules,
    nested,
    type: typeOf(),
    itemType: schema.items && typeOf(schema.items.type),
    maxItems: schema.maxItems ?? MAX_ITEMS,
    is: (value) => (value === null && takesNull) || is(value),
    takes: takesNull ? `${typeName} or null` : typeName,
  };
}

function ofRules(dto: Dto, name: string, rules: readonly Rule[]): Property {
  const declared = Reflect.getMetadata('design:type', dto.prototype as object, name) as unknown;
  const typeBy = (ofItems: boolean): ValueType | undefined =>
    rules.flatMap((rule) => (rule.each === ofItems && TYPES_OF.get(rule.name ?? '')) || [])[0];
  const ofClass = isClass(declared) ? 'object' : TYPES_OF_CLASSES.get(declared);
  const isArray = declared === Array || typeBy(false) === 'array' || rules.some(({ each }) => each);
  const type = (isArray && declared !== Set && declared !== Map ? 'array' : ofClass) ?? typeBy(false);
  const { is, typeName } = type ? TYPES[type] : { is: () => true, typeName: 'anything' };
  const takesNull = rules.some((rule) => rule.type === classValidator.ValidationTypes.CONDITIONAL_VALIDATION);
  const bound = rules.find((rule) => rule.name === 'arrayMaxSize' && !rule.each);
  return {
    name,
    field: undefined,
    rules,
    type,
    itemType: typeBy(true),
    nested: nestedOf(dto, name, rules, declared),
    maxItems: bound ? Number(bound.constraints[0]) : MAX_ITEMS,
    is: (value) => (value === null && takesNull) || is(value),
    takes: typeName,
  };
}

const TYPES_OF_CLASSES = new Map<unknown, ValueType | undefined>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Date, 'date'],
  [Array, 'array'],
  ...[undefined, Object, Buffer, Map, Set, Promise].map((type) => [type, undefined] as const),
]);

/** Whether a type is a class that somebody wrote. */
const isClass = (type: unknown): type is Dto => typeof type === 'function' && !TYPES_OF_CLASSES.has(type);

export const isDto = (type: unknown): type is Dto => isClass(type) && shapeOf(type).properties.size > 0;

function nestedOf(dto: Dto, name: string, rules: readonly Rule[], declared: unknown): Dto | undefined {
  const where = `${dto.name}.${name}`;
  if (!rules.some(({ type }) => type === classValidator.ValidationTypes.NESTED_VALIDATION)) {
    if (isClass(declared) && rulesOf(declared).length > 0)
      throw new Error(`${where}: the rules of ${declared.name} are not checked; add @ValidateNested()`);
    return undefined;
  }
  if (isClass(declared)) return declared;
  // What `@Type()` says, class-transformer tells by what it makes.
  const [item] = [(plainToInstance(dto, { [name]: [{}] }) as Record<string, unknown>)[name]].flat();
  const nested = (item as object | undefined)?.constructor;
  if (!isClass(nested))
    throw new Error(`${where}: @ValidateNested() needs @Type(() => Class) to know what it is about`);
  return nested;
}

/** The rules of a class, its own and inherited ones, as class-validator's adapters read them: it exports its storage. */
const rulesOf = (dto: Dto): readonly Rule[] =>
  classValidator.getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
