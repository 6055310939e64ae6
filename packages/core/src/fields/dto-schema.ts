import { ApiProperty } from '@nestjs/swagger';
import { TypeMetadata } from 'class-transformer';
import * as classValidator from 'class-validator';

import { truncateText } from '../http/errors/truncate-text.js';
import { documentedPropertiesOf, propertyTypeOf } from '../nest/route-metadata.js';
import { FaultCode } from './faults.js';
import { FieldDeclaration, Dto, FieldType, fieldsOf, ignoredFields } from './field.js';
import { Transforms, readTransforms } from './transforms.js';
import { findValidatorRules, ValidatorRule } from './validator-rules.js';

/** The JSON type of a value, if a decorator or the declared type determines it. */
export type ValueType = 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const JSON_TYPES: Readonly<Record<ValueType | 'integer', Pick<FieldType, 'isOfType' | 'typeName'>>> = {
  string: { isOfType: (value) => typeof value === 'string', typeName: 'a string' },
  number: { isOfType: (value) => typeof value === 'number', typeName: 'a number' },
  integer: { isOfType: Number.isInteger, typeName: 'an integer' },
  boolean: { isOfType: (value) => typeof value === 'boolean', typeName: 'true or false' },
  date: {
    isOfType: (value) => typeof value === 'string',
    typeName: 'a time such as 2026-11-20T09:30:00.000Z',
  },
  array: { isOfType: Array.isArray, typeName: 'an array' },
  object: { isOfType: isObject, typeName: 'an object' },
};

/** Fault codes by constraint of class-validator. Unlisted constraints check a format, as `isIBAN` does. */
const CODES_BY_CONSTRAINT = byConstraint<FaultCode>({
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

/** The type of value that a constraint is for. A constraint that is not listed accepts values of several types. */
const TYPES_BY_CONSTRAINT = byConstraint<ValueType>({
  string:
    'isString minLength maxLength isLength isByteLength contains notContains matches isEmail isUrl isUuid ' +
    'isDateString isIso8601 isRFC3339 isPort',
  number: 'isNumber isInt isDivisibleBy isPositive isNegative min max',
  boolean: 'isBoolean',
  date: 'isDate minDate maxDate',
  array: 'isArray arrayMinSize arrayMaxSize arrayNotEmpty arrayUnique arrayContains arrayNotContains',
  object: 'isInstance isObject isNotEmptyObject',
});

function byConstraint<T extends string>(names: Readonly<Partial<Record<T, string>>>): ReadonlyMap<string, T> {
  const entries = Object.entries(names) as [T, string][];
  return new Map(entries.flatMap(([value, all]) => all.split(' ').map((name) => [name, value] as const)));
}

/** The names of class-validator's own constraints, which it exports as constants. */
const BUILT_IN_CONSTRAINTS = new Set<unknown>(
  Object.values(classValidator).filter((value) => typeof value === 'string'),
);

export function constraintFaultCode(name: string, value: unknown, [min]: readonly unknown[]): FaultCode {
  if (name === 'isNumber') return Number.isFinite(value) ? 'TOO_PRECISE' : 'WRONG_TYPE';
  if (name === 'isLength') return String(value).length < Number(min) ? 'TOO_SHORT' : 'TOO_LONG';
  if (name === 'isByteLength')
    return Buffer.byteLength(String(value)) < Number(min) ? 'TOO_SHORT' : 'TOO_LONG';
  return CODES_BY_CONSTRAINT.get(name) ?? (BUILT_IN_CONSTRAINTS.has(name) ? 'BAD_FORMAT' : 'NOT_ALLOWED');
}

export interface DtoProperty {
  readonly name: string;
  /** The declaration by its field decorator. `undefined` if the property only has decorators of class-validator. */
  readonly field: FieldDeclaration | undefined;
  /** `undefined` if the value may have any type, as in a union. */
  readonly type: ValueType | undefined;
  readonly itemType: ValueType | undefined;
  readonly transforms: Transforms;
  /** The classes of a nested value, or of the items of an array, a `Set` or a `Map`. */
  readonly nested: NestedClasses | undefined;
  readonly maxItems: number;
  readonly isOfType: (value: unknown) => boolean;
  readonly expected: string;
  readonly rules: readonly ValidatorRule[];
}

/** The possible classes of an object in a body. */
export interface NestedClasses {
  /** The classes that are known without a body. */
  readonly classes: readonly Dto[];
  /** Returns the class of `value`, or `undefined` if it has none. @param parent the object that contains `value` */
  findClass(value: JsonObject, parent: JsonObject): Dto | undefined;
  /** How to distinguish the classes. This is the option `discriminator` of `@Type()`. */
  readonly discriminator?: Discriminator;
}

export interface Discriminator {
  readonly property: string;
  readonly names: readonly string[];
  /** Whether the instances keep the property. */
  readonly isKept: boolean;
}

/** How to read a DTO. It is computed once for each class. */
export interface DtoSchema {
  /** The properties by their names in JSON. */
  readonly properties: ReadonlyMap<string, DtoProperty>;
  /** The properties by their names in the class. */
  readonly byPropertyName: ReadonlyMap<string, DtoProperty>;
  readonly fieldNames: string;
  readonly ignored: ReadonlySet<string>;
  readonly defaults: readonly (readonly [name: string, value: unknown])[];
  readonly hasTransforms: boolean;
}

/** The maximum number of items in an array without `@ArrayMaxSize()`. More items would delay all other requests. */
export const DEFAULT_MAX_ITEMS = 500;

const dtoSchemas = new WeakMap<Dto, DtoSchema>();

/** Returns the schema of a DTO. @throws Error for a declaration that would otherwise be ignored */
export function dtoSchemaFor(dto: Dto): DtoSchema {
  const known = dtoSchemas.get(dto);
  if (known) return known;
  const fields = fieldsOf(dto);
  const rules = findValidatorRules(dto);
  const names = new Set([...fields.keys(), ...rules.map(({ propertyName }) => propertyName)]);
  const all = [...names].map((name) => {
    const field = fields.get(name);
    const own = rules.filter(({ propertyName }) => propertyName === name);
    const transforms = readTransforms(dto, name);
    return field
      ? propertyFromField(name, own, field, transforms)
      : propertyFromRules(dto, name, own, transforms);
  });
  const [dropped, taken] = [true, false].map((is) => all.filter((one) => one.transforms.isDropped === is));
  const byWireName = (properties: DtoProperty[] = []) =>
    new Map(properties.map((one) => [one.transforms.jsonName, one] as const));
  const properties = byWireName(taken);
  const twice = taken?.find((one) => properties.get(one.transforms.jsonName) !== one);
  if (twice)
    throw new Error(`${dto.name}.${twice.name}: another property is also named ${twice.transforms.jsonName}`);
  const defaults = [...fields].flatMap(([name, { options }]) =>
    'default' in options ? [[name, options.default] as const] : [],
  );
  const shape = {
    properties,
    byPropertyName: new Map(all.map((one) => [one.name, one])),
    fieldNames: truncateText([...properties.keys()].join(', '), 200),
    ignored: new Set([...ignoredFields(dto), ...byWireName(dropped).keys()]),
    defaults,
    hasTransforms: all.some(({ transforms }) => transforms.isTransformed),
  };
  dtoSchemas.set(dto, shape);
  for (const { name, transforms } of taken ?? []) documentName(dto, name, transforms);
  // The nested classes are checked here too. They come after `dtoSchemas.set()`, because a class may contain itself.
  for (const { nested } of taken ?? []) nested?.classes.forEach(dtoSchemaFor);
  return shape;
}

/** Documents a property under its name in JSON, unless `@ApiProperty({ name })` sets another name. */
function documentName(dto: Dto, property: string, { jsonName }: Transforms): void {
  const documented = documentedPropertiesOf(dto).get(property);
  if (documented && documented.name === undefined && jsonName !== property)
    ApiProperty({ name: jsonName })(dto.prototype as object, property);
}

function propertyFromField(
  name: string,
  rules: readonly ValidatorRule[],
  field: FieldDeclaration,
  transforms: Transforms,
): DtoProperty {
  const { schema, nested, isOfType, typeName } = field.type;
  const takesNull = field.options.nullable === true;
  const typeOf = (type = schema.type): ValueType | undefined => (type === 'integer' ? 'number' : type);
  return {
    name,
    field,
    rules,
    transforms,
    nested: nested && { classes: [nested], findClass: () => nested },
    type: typeOf(),
    itemType: schema.items && typeOf(schema.items.type),
    maxItems: schema.maxItems ?? DEFAULT_MAX_ITEMS,
    isOfType: (value) => (value === null && takesNull) || isOfType(value),
    expected: takesNull ? `${typeName} or null` : typeName,
  };
}

function propertyFromRules(
  dto: Dto,
  name: string,
  rules: readonly ValidatorRule[],
  transforms: Transforms,
): DtoProperty {
  // `PartialType()` and similar functions create classes without types, but `@Type()` stores the property's type.
  const declared: unknown = propertyTypeOf(dto, name) ?? transforms.typeMetadata?.reflectedType;
  const typeBy = (ofItems: boolean): ValueType | undefined =>
    rules.flatMap((rule) => (rule.each === ofItems && TYPES_BY_CONSTRAINT.get(rule.name ?? '')) || [])[0];
  const nested = findNestedClasses(dto, name, rules, declared, transforms.typeMetadata);
  const isArray = declared === Array || typeBy(false) === 'array' || rules.some(({ each }) => each);
  const ofClass = isClass(declared) ? 'object' : TYPES_BY_CLASS.get(declared);
  const byRules = (isArray ? 'array' : ofClass) ?? typeBy(false) ?? (nested && 'object');
  const ofContainer = transforms.typeMetadata && CONTAINERS.get(declared);
  const type = ofContainer ?? (CONTAINERS.has(declared) ? typeBy(false) : byRules);
  const { isOfType, typeName } = type ? JSON_TYPES[type] : { isOfType: () => true, typeName: 'anything' };
  const takesNull = rules.some((rule) => rule.type === classValidator.ValidationTypes.CONDITIONAL_VALIDATION);
  const bound = rules.find((rule) => rule.name === 'arrayMaxSize' && !rule.each);
  return {
    name,
    field: undefined,
    rules,
    transforms,
    type,
    itemType: typeBy(true),
    nested,
    maxItems: bound ? Number(bound.constraints[0]) : DEFAULT_MAX_ITEMS,
    isOfType: (value) => (value === null && takesNull) || isOfType(value),
    expected: typeName,
  };
}

/** The collections that `@Type()` creates, and the JSON type for each. */
const CONTAINERS = new Map<unknown, ValueType>([
  [Set, 'array'],
  [Map, 'object'],
]);

const TYPES_BY_CLASS = new Map<unknown, ValueType | undefined>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Date, 'date'],
  [Array, 'array'],
  ...[undefined, Object, Buffer, Map, Set, Promise, BigInt, Symbol].map((type) => [type, undefined] as const),
]);

/** Whether a type is a class, but not a built-in class. */
const isClass = (type: unknown): type is Dto => typeof type === 'function' && !TYPES_BY_CLASS.has(type);

export const isDto = (type: unknown): type is Dto => isClass(type) && dtoSchemaFor(type).properties.size > 0;

function findNestedClasses(
  dto: Dto,
  name: string,
  rules: readonly ValidatorRule[],
  declared: unknown,
  made: TypeMetadata | undefined,
): NestedClasses | undefined {
  const where = `${dto.name}.${name}`;
  const typeIn = (parent: JsonObject): unknown =>
    made?.typeFunction({ newObject: {}, object: parent, property: name }) ?? declared;
  // A function of `@Type()` with a parameter reads the body. Do not call it without a body, because it may fail.
  const isOfBody = (made?.typeFunction.length ?? 0) > 0;
  const known = [isOfBody ? undefined : typeIn({})].filter(isClass);
  if (!rules.some(({ type }) => type === classValidator.ValidationTypes.NESTED_VALIDATION)) {
    const unchecked = known.find((type) => findValidatorRules(type).length > 0);
    if (unchecked)
      throw new Error(`${where}: the rules of ${unchecked.name} are not checked; add @ValidateNested()`);
    return undefined;
  }
  const { discriminator, keepDiscriminatorProperty: isKept = false } = made?.options ?? {};
  const subTypes = (discriminator?.subTypes ?? []) as readonly { value: Dto; name: string }[];
  const classes = [...known, ...subTypes.map(({ value }) => value)];
  if (classes.length === 0 && !isOfBody)
    throw new Error(
      `${where}: @ValidateNested() needs @Type(() => Class), because the type of the property is not a class`,
    );
  const property = discriminator?.property ?? '';
  return {
    classes,
    findClass: (value, parent) => {
      const type = subTypes.find((one) => one.name === value[property])?.value ?? typeIn(parent);
      return isClass(type) ? type : undefined;
    },
    ...(discriminator && {
      discriminator: { property, names: subTypes.map((one) => one.name), isKept },
    }),
  };
}
