import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, ValidationTypes } from 'class-validator';

import { typeOfConstraint, ValueType } from './constraints.js';
import { shortened } from './faults.js';
import { Declaration, Dto, fieldsOf, ignoredBy } from './field.js';

export type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

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
  readonly takesNull: boolean;
  readonly rules: readonly Rule[];
}

/** A DTO as it is read: worked out once for each class. */
export interface Shape {
  readonly properties: ReadonlyMap<string, Property>;
  readonly names: string;
  /** Properties that the server shows and owns: they may be sent back, and are ignored. */
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
  const { schema, nested } = field.kind;
  const typeOf = (type = schema.type): ValueType | undefined => (type === 'integer' ? 'number' : type);
  return {
    name,
    field,
    rules,
    nested,
    type: typeOf(),
    itemType: schema.items && typeOf(schema.items.type),
    maxItems: schema.maxItems ?? MAX_ITEMS,
    takesNull: field.options.nullable === true,
  };
}

function ofRules(dto: Dto, name: string, rules: readonly Rule[]): Property {
  const declared = Reflect.getMetadata('design:type', dto.prototype as object, name) as unknown;
  const typeBy = (ofItems: boolean): ValueType | undefined =>
    rules.flatMap((rule) => (rule.each === ofItems && typeOfConstraint(rule.name)) || [])[0];
  const isArray = declared === Array || typeBy(false) === 'array' || rules.some(({ each }) => each);
  const type = isArray && declared !== Set && declared !== Map ? 'array' : typeOfClass(declared);
  const bound = rules.find((rule) => rule.name === 'arrayMaxSize' && !rule.each);
  return {
    name,
    field: undefined,
    rules,
    type: type ?? typeBy(false),
    itemType: typeBy(true),
    nested: nestedOf(dto, name, rules, declared),
    maxItems: bound ? Number(bound.constraints[0]) : MAX_ITEMS,
    takesNull: rules.some((rule) => rule.type === ValidationTypes.CONDITIONAL_VALIDATION),
  };
}

const TYPES = new Map<unknown, ValueType | undefined>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Date, 'date'],
  [Array, 'array'],
  ...[undefined, Object, Buffer, Map, Set, Promise].map((type) => [type, undefined] as const),
]);

/** Whether a type is a class that somebody wrote. */
const isClass = (type: unknown): type is Dto => typeof type === 'function' && !TYPES.has(type);

/** Whether the type of a parameter is a class whose decorators say what it takes. */
export const isDto = (type: unknown): type is Dto => isClass(type) && shapeOf(type).properties.size > 0;

const typeOfClass = (type: unknown): ValueType | undefined => (isClass(type) ? 'object' : TYPES.get(type));

function nestedOf(dto: Dto, name: string, rules: readonly Rule[], declared: unknown): Dto | undefined {
  const where = `${dto.name}.${name}`;
  if (!rules.some(({ type }) => type === ValidationTypes.NESTED_VALIDATION)) {
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
  getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
