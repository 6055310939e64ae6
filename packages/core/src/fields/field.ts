import { ApiProperty, ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy, ValidateNested, ValidationOptions } from 'class-validator';
import { Column, ColumnOptions } from 'typeorm';

import { documentedPropertiesOf } from '../nest/route-metadata.js';
import { FaultCode } from './faults.js';
import { countCharacters, JsonSchema, FieldRule } from './rules.js';

/** The class of a request body or of a response. */
export type Dto<T extends object = object> = new () => T;

/** A class that declares fields: a DTO or an entity. It may be abstract. */
export type FieldClass<T extends object = object> = abstract new () => T;

/** The options that all field decorators have. */
export interface FieldOptions {
  /** The value that a missing field gets. It makes the field optional in bodies. */
  default?: unknown;
  /** The field may be missing, and then has no value. */
  optional?: boolean;
  /** The field may be `null`. Otherwise `null` is a wrong type. */
  nullable?: boolean;
  /** Only the server writes the field. `BodyOf()` throws if its fields include this one. */
  readOnly?: boolean;
  /** The value never appears in a message, like that of a password. */
  isSecret?: boolean;
  /** On an entity, further options of the column, or `false` if the column is declared elsewhere. */
  column?: ColumnOptions | false;
  /**
   * On an entity, the SQL for a read-only value that is computed whenever the row is read.
   * @example @Money({ computed: (row) => `${row['price']} * 0.8` }) reducedPrice: number;
   */
  computed?: (row: Readonly<Record<string, string>>) => string;
  description?: string;
  example?: unknown;
}

export interface FieldType {
  /** A noun phrase that completes `must be …` in messages: `a string`. */
  readonly typeName: string;
  readonly column?: ColumnOptions;
  readonly isOfType: (value: unknown) => boolean;
  readonly schema: JsonSchema;
  readonly rules: readonly FieldRule[];
  /** For a number, how many decimals its JSON text may have. By default, there is no limit. */
  readonly maxDecimals?: number;
  /** The class of the value or, for an array, the class of its items. */
  readonly nested?: Dto;
  /** The type of the items of an array without a class. Its rules apply to each item. */
  readonly items?: FieldType;
}

export interface FieldDeclaration {
  readonly options: FieldOptions;
  readonly type: FieldType;
  /**
   * The options of the original declaration. `PickOf()` drops the defaults of fields, but a `BodyOf()` that is derived
   * from the result needs them.
   */
  readonly declaredOptions: FieldOptions;
}

const FIELDS = Symbol('fields');
const IGNORED = Symbol('ignored');
const COLUMN_FIELD = Symbol('field of a column');

/**
 * The context of rules that field decorators make. `inheritRules()` leaves these rules out, because the fields of a
 * derived class have their own.
 */
export const FIELD_RULE = {};

/** Returns the fields of a class in the order of their declaration. Inherited fields come first. */
export function fieldsOf(dto: FieldClass): ReadonlyMap<string, FieldDeclaration> {
  const inherited = Object.getPrototypeOf(dto) as FieldClass | null;
  return new Map([...(inherited ? fieldsOf(inherited) : []), ...ownFieldsOf(dto)]);
}

const ownFieldsOf = (dto: object): Map<string, FieldDeclaration> =>
  (Reflect.getOwnMetadata(FIELDS, dto) ?? new Map()) as Map<string, FieldDeclaration>;

/**
 * Returns the names of the fields that are ignored in a body. Responses contain these fields, so clients may send them
 * back.
 */
export const ignoredFields = (dto: FieldClass): ReadonlySet<string> =>
  (Reflect.getMetadata(IGNORED, dto) ?? new Set()) as ReadonlySet<string>;

export function setIgnoredFields(dto: FieldClass, names: Iterable<string>): void {
  Reflect.defineMetadata(IGNORED, new Set(names), dto);
}

/** Declares that a column stores the value of a field in another form. Errors name the field instead of the column. */
export const DerivedFrom = (name: string): PropertyDecorator => Reflect.metadata(COLUMN_FIELD, name);

/**
 * Returns the name of the field that a property of an entity stores. Usually, it is the name of the property itself.
 */
export const fieldNameFor = ({ prototype }: FieldClass, property: string): string =>
  (Reflect.getMetadata(COLUMN_FIELD, prototype as object, property) as string | undefined) ?? property;

/** Declares a field: the column for TypeORM, the rules for class-validator, the schema for Swagger. */
export function field(kind: FieldType, given: FieldOptions = {}): PropertyDecorator {
  return declareField(kind, given.computed ? { ...given, readOnly: true, column: false } : given);
}

/** Declares a field with exactly the given options. @param declared the options of the original declaration */
export function declareField(kind: FieldType, options: FieldOptions, declared = options): PropertyDecorator {
  return (target, property) => {
    const name = String(property);
    if (options.column !== false && kind.column)
      declareColumn(target, name, { ...kind.column, ...options.column }, options);
    const fields = ownFieldsOf(target.constructor).set(name, {
      options,
      declaredOptions: declared,
      type: kind,
    });
    Reflect.defineMetadata(FIELDS, fields, target.constructor);
    ApiProperty(apiPropertyOptions(kind, options))(target, property);
    const isThere = (value: unknown): boolean => value !== undefined || isOptional(options);
    createValidator('REQUIRED', isThere, () => 'is required')(target, property);
    declareRules(kind, options)(target, property);
    if (kind.items) declareRules(kind.items, options, { each: true })(target, property);
    if (kind.nested)
      ValidateNested({ each: kind.schema.type === 'array', context: FIELD_RULE })(target, property);
  };
}

export const isOptional = (options: FieldOptions): boolean =>
  options.optional === true || 'default' in options;

/** Declares the rules of a type for class-validator. @param each whether they apply to each item of an array */
function declareRules(
  { rules, isOfType }: FieldType,
  options: FieldOptions,
  each?: ValidationOptions,
): PropertyDecorator {
  return (target, property) => {
    for (const rule of rules) {
      const isRight = (value: unknown): boolean => !isOfType(value) || rule.isValid(value);
      const message = (value: unknown): string => ruleMessage(rule, value, options);
      createValidator(rule.code, isRight, message, each)(target, property);
    }
  };
}

export const ruleMessage = ({ requirement }: FieldRule, value: unknown, options: FieldOptions): string =>
  `${requirement} (got ${describeValue(value, options)})`;

const createValidator = (
  name: FaultCode,
  validate: (value: unknown) => boolean,
  message: (value: unknown) => string,
  each?: ValidationOptions,
): PropertyDecorator =>
  ValidateBy(
    { name, validator: { validate, defaultMessage: (args) => message(args?.value) } },
    { ...each, context: FIELD_RULE },
  );

/** Declares the column of a field. It has no effect on DTOs, because TypeORM does not map them. */
function declareColumn(target: object, name: string, column: ColumnOptions, options: FieldOptions): void {
  const { nullable = false, default: value } = options;
  const hasDefault = value !== undefined && value !== null;
  Column({ nullable, ...(hasDefault && { default: columnDefault(column, value) }), ...column })(target, name);
}

/** Formats a default value as PostgreSQL returns it, so that TypeORM finds no difference between entity and table. */
function columnDefault({ type, scale }: ColumnOptions, value: unknown): unknown {
  if (type === 'numeric' && typeof value === 'number') return () => value.toFixed(scale);
  if (Array.isArray(value)) return () => arrayLiteral(value);
  // TypeORM does not escape quotes.
  return typeof value === 'string' ? value.replaceAll(`'`, `''`) : value;
}

/** Formats an array as PostgreSQL prints it: quotes only items that would otherwise mean something else. */
function arrayLiteral(items: readonly unknown[]): string {
  const texts = items
    .map(String)
    .map((text) => (/^(?:null)?$|[\s"\\{},]/i.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : text));
  return `'{${texts.join(',').replaceAll(`'`, `''`)}}'`;
}

/** Formats a value for a message: short, on one line, and without the value itself if it is secret. */
export function describeValue(value: unknown, options: FieldOptions = {}): string {
  if (typeof value === 'string') {
    const length = countCharacters(value);
    return options.isSecret || length > 40 ? `a string of ${length} characters` : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `an array of ${value.length} items`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return options.isSecret && value !== null ? `a ${typeof value}` : String(value);
}

function apiPropertyOptions({ nested, schema }: FieldType, options: FieldOptions): ApiPropertyOptions {
  const { example, nullable, default: value } = options;
  // The description contains the default, because client generators make a field with a `default` required.
  const ofDefault = value !== undefined && `Default: \`${JSON.stringify(value)}\`.`;
  const common = {
    description: [options.description, ofDefault].filter(Boolean).join(' ') || undefined,
    ...(example !== undefined && { examples: [example] }),
    nullable: nullable || undefined,
    required: !isOptional(options),
  };
  if (!nested) return { ...toOpenApiSchema(schema), ...common } as ApiPropertyOptions;
  const { minItems, maxItems } = schema;
  return { ...common, type: nested, ...(schema.type === 'array' && { isArray: true, minItems, maxItems }) };
}

/**
 * Returns the `format` of a schema. Integers that can be larger than `int32` have no format, because client generators
 * turn `int64` into `bigint`.
 */
export const openApiFormat = ({ type, format, maximum = Infinity }: JsonSchema): string | undefined =>
  type === 'integer' ? (maximum < 2 ** 31 ? 'int32' : undefined) : format;

/** Converts a schema to OpenAPI 3.1. */
const toOpenApiSchema = ({ enum: words, items, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  format: schema.type === 'number' ? 'double' : openApiFormat(schema),
  ...(words && (words.length === 1 ? { const: words[0] } : { enum: words })),
  ...(items && { items: toOpenApiSchema(items) }),
});

/**
 * Returns the properties of a class that have `@ApiProperty()` but no field decorator, and whether each is required.
 */
export function swaggerOnlyProperties(dto: FieldClass): ReadonlyMap<string, boolean> {
  const fields = fieldsOf(dto);
  const others = [...documentedPropertiesOf(dto)].filter(([name]) => !fields.has(name));
  return new Map(others.map(([name, { required }]) => [name, required !== false]));
}
