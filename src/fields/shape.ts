import { Type } from 'class-transformer';

import {
  CONDITION,
  exposedName,
  NESTED,
  RuleMetadata,
  rulesOf,
  transformsOf,
  typeOf,
} from './class-metadata.js';
import { CONSTRAINTS, isCustom, ValueType } from './constraints.js';
import { Declaration, Dto, fieldsOf } from './field.js';

/** A property of a DTO, as all of its decorators and its declared type tell. */
export interface Property {
  /** Of the class. */
  readonly name: string;
  /** The declaration of its field decorator; `undefined`: it has only decorators of class-validator. */
  readonly field: Declaration | undefined;
  /** `undefined`: anything, as of a union. */
  readonly type: ValueType | undefined;
  /** Of the items of an array. */
  readonly itemType: ValueType | undefined;
  /** The limit of `@ArrayMaxSize()`, whatever the groups of a request. */
  readonly maxItems?: number | undefined;
  readonly takesNull: boolean;
  /** The class of a nested value or item; `undefined`: it has none, or none of those that there are. */
  readonly nestedOf: ((value: unknown) => Dto | undefined) | undefined;
  /** The member that tells which class a nested value is of. */
  readonly discriminator?: string;
  /** `@Transform()`: what it makes of the value; its type is then judged by the rules alone. */
  readonly transform: ((value: unknown, body: object) => unknown) | undefined;
  readonly rules: readonly RuleMetadata[];
}

/** A DTO as it is read: worked out once for each class. */
export interface Shape {
  /** By their names in a body. */
  readonly properties: ReadonlyMap<string, Property>;
  /** By their names in the class. */
  readonly byName: ReadonlyMap<string, Property>;
  /** Whether some rule may be asynchronous. */
  readonly isAsync: boolean;
}

const shapes = new WeakMap<Dto, Shape>();

/**
 * The shape of a DTO.
 *
 * @throws Error for a declaration that would be ignored in silence, naming class and property
 */
export function shapeOf(dto: Dto): Shape {
  const known = shapes.get(dto);
  if (known) return known;
  const fields = fieldsOf(dto);
  const rules = rulesOf(dto);
  const byName = new Map<string, Property>();
  for (const name of [...fields.keys(), ...rules.keys()])
    if (!byName.has(name)) byName.set(name, propertyOf(dto, name, fields.get(name), rules.get(name) ?? []));
  const properties = new Map([...byName].map(([name, property]) => [exposedName(dto, name), property]));
  const shape = { properties, byName, isAsync: [...byName.values()].some(isAsync) };
  shapes.set(dto, shape);
  return shape;
}

function propertyOf(
  dto: Dto,
  name: string,
  field: Declaration | undefined,
  rules: readonly RuleMetadata[],
): Property {
  const transforms = transformsOf(dto, name);
  const transform = (value: unknown, body: object): unknown =>
    transforms.reduce<unknown>(
      (given, { transformFn }) => transformFn({ value: given, key: name, obj: body, type: 0, options: {} }),
      value,
    );
  const common = { name, field, rules, transform: transforms.length > 0 ? transform : undefined };
  if (field) {
    const { nested } = field.kind;
    const nestedOf = nested && (() => nested);
    return { ...common, nestedOf, type: undefined, itemType: undefined, takesNull: false };
  }
  const { type, itemType } = typesOf(dto, name, rules);
  const takesNull = rules.some((rule) => rule.type === CONDITION);
  const discriminator = typeOf(dto, name)?.options.discriminator?.property;
  return {
    ...common,
    type,
    itemType,
    maxItems: maxItemsOf(rules),
    takesNull,
    discriminator,
    nestedOf: nestedClass(dto, name, rules),
  };
}

const TYPES = new Map<unknown, ValueType | undefined>([
  [undefined, undefined],
  [Object, undefined],
  [Buffer, undefined],
  [Map, undefined],
  [Set, undefined],
  [Promise, undefined],
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Date, 'date'],
  [Array, 'array'],
]);

/** The type that a class stands for: any that is not JavaScript's own is that of an object. */
const typeOfClass = (constructor: unknown): ValueType | undefined =>
  TYPES.has(constructor) ? TYPES.get(constructor) : 'object';

function typesOf(
  dto: Dto,
  name: string,
  rules: readonly RuleMetadata[],
): { type: ValueType | undefined; itemType: ValueType | undefined } {
  const declared = Reflect.getMetadata('design:type', dto.prototype as object, name) as unknown;
  const given = typeOf(dto, name)?.typeFunction();
  const ofRules = (each: boolean): ValueType | undefined =>
    rules
      .filter((rule) => (rule.each === true) === each)
      .map((rule) => CONSTRAINTS[rule.name ?? '']?.type)
      .find((type) => type !== undefined);
  const isArray = declared === Array || ofRules(false) === 'array' || rules.some(({ each }) => each);
  if (isArray && declared !== Set && declared !== Map)
    return { type: 'array', itemType: given ? typeOfClass(given) : ofRules(true) };
  return { type: typeOfClass(given ?? declared) ?? ofRules(false), itemType: undefined };
}

/** The largest of the bounds: those of other groups are not to cut what is taken. */
function maxItemsOf(rules: readonly RuleMetadata[]): number | undefined {
  const bounds = rules
    .filter(({ name, each }) => name === 'arrayMaxSize' && !each)
    .map(({ constraints = [] }) => Number(constraints[0]));
  return bounds.length > 0 ? Math.max(...bounds) : undefined;
}

function nestedClass(
  dto: Dto,
  name: string,
  rules: readonly RuleMetadata[],
): ((value: unknown) => Dto | undefined) | undefined {
  const declared = Reflect.getMetadata('design:type', dto.prototype as object, name) as Dto | undefined;
  const type = typeOf(dto, name);
  const nested = type?.typeFunction() ?? declared;
  const isClass = nested !== undefined && !TYPES.has(nested);
  const isValidated = rules.some((rule) => rule.type === NESTED);
  const where = `${dto.name}.${name}`;
  if (!isValidated) {
    if (isClass && (rulesOf(nested).size > 0 || fieldsOf(nested).size > 0))
      throw new Error(`${where}: the rules of ${nested.name} are not checked; add @ValidateNested()`);
    return undefined;
  }
  if (!isClass)
    throw new Error(`${where}: @ValidateNested() needs @Type(() => Class) to know what it is about`);
  // Without it class-transformer would leave a plain object, whose rules nobody knows.
  if (!type) Type(() => nested)(dto.prototype as object, name);
  const { discriminator } = type?.options ?? {};
  if (!discriminator) return () => nested;
  const { property, subTypes } = discriminator;
  return (value) =>
    subTypes.find((subType) => subType.name === (value as Record<string, unknown>)[property])?.value;
}

function isAsync({ rules, nestedOf, field }: Property): boolean {
  const isOwn = ({ name }: RuleMetadata): boolean => name !== undefined && /^[A-Z]/.test(name);
  const isCondition = ({ type }: RuleMetadata): boolean => type === CONDITION || type === NESTED;
  if (rules.some((rule) => !isOwn(rule) && !isCondition(rule) && isCustom(rule.name ?? ''))) return true;
  // Which class it will be a discriminator tells; those of field decorators have none.
  const nested = field?.kind.nested ?? nestedOf?.({});
  if (!nestedOf) return false;
  return nested === undefined || (shapes.has(nested) ? shapeOf(nested).isAsync : isAsyncOnce(nested));
}

const visited = new WeakSet<Dto>();

/** A class may be nested in itself. */
function isAsyncOnce(nested: Dto): boolean {
  if (visited.has(nested)) return false;
  visited.add(nested);
  return shapeOf(nested).isAsync;
}
