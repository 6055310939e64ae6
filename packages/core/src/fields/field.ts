import { ApiProperty, ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateBy, ValidateNested } from 'class-validator';
import { Column, ColumnOptions } from 'typeorm';

import { documentedPropertiesOf } from '../nest/route-metadata.js';
import { FaultCode } from './faults.js';
import { countCharacters, JsonSchema, FieldRule } from './rules.js';

export type Dto<T extends object = object> = new () => T;

/** A class whose fields are read: a DTO, or an entity, which may be abstract. */
export type FieldClass<T extends object = object> = abstract new () => T;

export interface FieldOptions {
  /** The value of an absent field; gives the field leave to be absent. */
  default?: unknown;
  /** May be absent, and then stays absent. */
  optional?: boolean;
  /** `null` is a value of the field; elsewhere it is a wrong type. */
  nullable?: boolean;
  /** The server alone writes it: no body takes it. */
  readOnly?: boolean;
  /** Its value appears in no message. */
  isSecret?: boolean;
  /** Options of the column on an entity, beside those that follow from the field; `false`: it is declared elsewhere. */
  column?: ColumnOptions | false;
  /**
   * On an entity: SQL for a read-only value, computed whenever the row is read.
   * @example @Money({ computed: (row) => `${row['price']} * 0.8` }) reducedPrice: number;
   */
  computed?: (row: Readonly<Record<string, string>>) => string;
  description?: string;
  example?: unknown;
}

export interface FieldType {
  readonly typeName: string;
  readonly column?: ColumnOptions;
  readonly isOfType: (value: unknown) => boolean;
  readonly schema: JsonSchema;
  readonly rules: readonly FieldRule[];
  /** Of a number: most decimals that it may be written with in JSON, however little they change; left out: any. */
  readonly maxDecimals?: number;
  /** The class of the value, or of each item where the type is an array. */
  readonly nested?: Dto;
}

export interface FieldDeclaration {
  readonly options: FieldOptions;
  readonly type: FieldType;
  /** The options as they were declared first: what a response shows has no defaults, and bodies are made of it. */
  readonly declaredOptions: FieldOptions;
}

const FIELDS = Symbol('fields');
const IGNORED = Symbol('ignored');
const COLUMN_FIELD = Symbol('field of a column');

/** The fields a class declares, its own and inherited ones, in order of declaration. */
export function fieldsOf(dto: FieldClass): ReadonlyMap<string, FieldDeclaration> {
  const inherited = Object.getPrototypeOf(dto) as FieldClass | null;
  return new Map([...(inherited ? fieldsOf(inherited) : []), ...ownFieldsOf(dto)]);
}

const ownFieldsOf = (dto: object): Map<string, FieldDeclaration> =>
  (Reflect.getOwnMetadata(FIELDS, dto) ?? new Map()) as Map<string, FieldDeclaration>;

/** Names of fields that a body does not take, and ignores: the server shows them, so clients send them back. */
export const ignoredFields = (dto: FieldClass): ReadonlySet<string> =>
  (Reflect.getMetadata(IGNORED, dto) ?? new Set()) as ReadonlySet<string>;

export function setIgnoredFields(dto: FieldClass, names: Iterable<string>): void {
  Reflect.defineMetadata(IGNORED, new Set(names), dto);
}

/** Declares that a column holds the value of a field in another form. Errors name the field in place of the column. */
export const DerivedFrom = (name: string): PropertyDecorator => Reflect.metadata(COLUMN_FIELD, name);

/** The field that a property of an entity is about. */
export const fieldNameFor = ({ prototype }: FieldClass, property: string): string =>
  (Reflect.getMetadata(COLUMN_FIELD, prototype as object, property) as string | undefined) ?? property;

/** Declares a field: its column for TypeORM, its rules for class-validator, its documentation for Swagger. */
export function field(kind: FieldType, given: FieldOptions = {}): PropertyDecorator {
  return declareField(kind, given.computed ? { ...given, readOnly: true, column: false } : given);
}

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
    createValidator('REQUIRED', isThere, () => 'is missing, and required')(target, property);
    for (const rule of kind.rules) {
      const isRight = (value: unknown): boolean => !kind.isOfType(value) || rule.isValid(value);
      const message = (value: unknown): string =>
        `got ${describeValue(value, options)}, takes ${rule.requirement}`;
      createValidator(rule.code, isRight, message)(target, property);
    }
    if (kind.nested) ValidateNested({ each: kind.schema.type === 'array' })(target, property);
  };
}

export const isOptional = (options: FieldOptions): boolean =>
  options.optional === true || 'default' in options;

const createValidator = (
  name: FaultCode,
  validate: (value: unknown) => boolean,
  message: (value: unknown) => string,
): PropertyDecorator =>
  ValidateBy({ name, validator: { validate, defaultMessage: (args) => message(args?.value) } });

/** Of a class that TypeORM does not map, which a DTO is, a column has no effect. */
function declareColumn(target: object, name: string, column: ColumnOptions, options: FieldOptions): void {
  const { nullable = false, default: value } = options;
  const hasDefault = value !== undefined && value !== null;
  Column({ nullable, ...(hasDefault && { default: columnDefault(column, value) }), ...column })(target, name);
}

/** A default as PostgreSQL gives it back, so that TypeORM sees no difference between entity and table. */
function columnDefault({ type, scale }: ColumnOptions, value: unknown): unknown {
  if (type === 'numeric' && typeof value === 'number') return () => value.toFixed(scale);
  // TypeORM does not escape quotes.
  return typeof value === 'string' ? value.replaceAll(`'`, `''`) : value;
}

/** A value as a message shows it: short, on one line, and not at all where it is secret. */
export function describeValue(value: unknown, options: FieldOptions = {}): string {
  if (typeof value === 'string') {
    const length = countCharacters(value);
    return options.isSecret || length > 40 ? `a string of ${length} characters` : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return options.isSecret && value !== null ? `a ${typeof value}` : String(value);
}

function apiPropertyOptions({ nested, schema }: FieldType, options: FieldOptions): ApiPropertyOptions {
  const { example, nullable, default: value } = options;
  // As `default`, generators of clients take a field of a body to be there always, and make it required.
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

/** How wide a number is. Wider integers have no format: generators of clients make a `bigint` of `int64`. */
export const openApiFormat = ({ type, format, maximum = Infinity }: JsonSchema): string | undefined =>
  type === 'integer' ? (maximum < 2 ** 31 ? 'int32' : undefined) : format;

/** A schema as OpenAPI 3.1 has it. */
const toOpenApiSchema = ({ enum: words, items, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  format: schema.type === 'number' ? 'double' : openApiFormat(schema),
  ...(words && (words.length === 1 ? { const: words[0] } : { enum: words })),
  ...(items && { items: toOpenApiSchema(items) }),
});

/** The properties of a class that only `@ApiProperty()` declares, and whether each is required. */
export function swaggerOnlyProperties(dto: FieldClass): ReadonlyMap<string, boolean> {
  const fields = fieldsOf(dto);
  const others = [...documentedPropertiesOf(dto)].filter(([name]) => !fields.has(name));
  return new Map(others.map(([name, { required }]) => [name, required !== false]));
}

/**
 * The JSON schema of a DTO, from which its serializer is compiled and its representation is told from others.
 * @throws Error for a class that contains itself
 */
export function jsonSchemaFor(dto: Dto, within: readonly Dto[] = []): JsonSchema {
  if (within.includes(dto)) throw new Error(`${dto.name} contains itself, which a response cannot show`);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, isRequired] of swaggerOnlyProperties(dto)) {
    properties[name] = {};
    if (isRequired) required.push(name);
  }
  for (const [name, { type, options }] of fieldsOf(dto)) {
    const nested = type.nested && jsonSchemaFor(type.nested, [...within, dto]);
    const ofNested = type.schema.type === 'array' ? nested && { items: nested } : nested;
    properties[name] = { ...type.schema, ...ofNested, ...(options.nullable && { nullable: true }) };
    if (!options.optional) required.push(name);
  }
  return { type: 'object', properties, required };
}
