import { Column, ColumnOptions } from 'typeorm';

/** The types that decorators can tell of a property. */
const TYPES = { string: String, number: Number, boolean: Boolean, array: Array } as const;

/** The type of a field's property; `any`: whatever it is declared as. */
export type PropertyType = keyof typeof TYPES | 'object' | 'any';

interface FieldColumn {
  /** As the kind of field has it; `undefined`: it has none, as lists of objects. */
  readonly column: ColumnOptions | undefined;
  readonly nullable: boolean;
  readonly default: unknown;
}

/**
 * Declares the column of a field, by TypeORM's own `@Column()`. Of a class that TypeORM does not map, which a DTO is,
 * it has no effect.
 */
export function declareColumn(target: object, property: string, field: FieldColumn): void {
  const { column, nullable, default: value } = field;
  if (!column) return;
  const hasDefault = value !== undefined && value !== null;
  Column({ nullable, ...(hasDefault && { default: columnDefault(column, value) }), ...column })(
    target,
    property,
  );
}

/** A default as PostgreSQL gives it back, so that TypeORM sees no difference between entity and table. */
function columnDefault({ type, scale }: ColumnOptions, value: unknown): unknown {
  if (type === 'numeric' && typeof value === 'number') return () => value.toFixed(scale);
  // TypeORM does not escape quotes.
  return typeof value === 'string' ? value.replaceAll(`'`, `''`) : value;
}

/**
 * Compares the type of a field with the one that TypeScript declares, as far as decorators are told: of unions,
 * interfaces and `unknown` they are told nothing.
 *
 * @throws Error where they contradict each other, naming class and property
 */
export function assertPropertyType(
  target: object,
  property: string,
  { type, typeName, nullable }: { type: PropertyType; typeName: string; nullable: boolean },
): void {
  const declared = Reflect.getMetadata('design:type', target, property) as { name: string } | undefined;
  if (!declared || type === 'any' || declared === Object) return;
  const known = Object.values<unknown>(TYPES).includes(declared) || declared === Date;
  const isRight = type === 'object' ? !known : declared === TYPES[type];
  const where = `${target.constructor.name}.${property}`;
  const name = known ? declared.name.toLowerCase() : declared.name;
  if (!isRight) throw new Error(`${where} is declared as ${name}, but its field takes ${typeName}`);
  if (nullable) throw new Error(`${where} is declared as ${name}, but its field is nullable: ${name} | null`);
}
