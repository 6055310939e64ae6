import { ColumnOptions, EntityMetadata } from 'typeorm';

import { Codec, codecOf } from '../fields/codec.js';
import { Declaration, Fields, fieldsOf } from '../fields/field.js';

type ColumnMetadata = EntityMetadata['columns'][number];

/** The values of a row as SQL names them, by property; as a text, the table. */
export type Columns<Entity = Record<string, unknown>> = { readonly [P in keyof Entity]-?: string };

/** A value that statements select, compare and sort by: a column, or what is computed of a row. */
export interface Operand {
  /** With its table: a bare name in ORDER BY is the selected value of that name, which no index is on. */
  readonly sql: string;
  readonly type: string;
  readonly isNullable: boolean;
  /** Whether it is never read: `select: false`. */
  readonly isHidden: boolean;
  /** The value as its property holds it: an SQL expression under the property's name. */
  readonly selected: string;
}

export interface TableColumn extends Operand {
  readonly name: string;
  readonly codec: Codec | undefined;
}

/** Types whose usual names without a length mean a length of 1: a cast by those would truncate what is longer. */
const OF_ANY_LENGTH: Readonly<Record<string, string>> = { character: 'bpchar', bit: '"bit"' };

function columnOf({ dataSource, tableName }: EntityMetadata, column: ColumnMetadata): TableColumn {
  const { propertyName, databaseName, isArray, isNullable, isSelect, enumName } = column;
  const base = dataSource.driver.normalizeType(column);
  const name = `"${databaseName}"`;
  const codec = codecOf({ ...column, type: base });
  // TypeORM names the type of an enum after its column.
  const enumType = `"${enumName ?? `${tableName}_${databaseName}_enum`}"`;
  const type = base === 'enum' ? enumType : (OF_ANY_LENGTH[base] ?? base);
  return {
    name,
    sql: `"${tableName}".${name}`,
    type: isArray ? `${type}[]` : type,
    isNullable,
    isHidden: !isSelect,
    selected: `${codec?.select(name) ?? name} as "${propertyName}"`,
    codec,
  };
}

function computedOperand(
  property: string,
  { kind: { column }, options }: Declaration,
  { dataSource }: EntityMetadata,
  columns: Columns,
): Operand {
  const sql = `(${options.computed?.(columns) ?? ''})`;
  const common = { isNullable: options.nullable === true, isHidden: false };
  // Lists of objects are JSON: they can be shown, and are nothing to compare with.
  if (!column) return { ...common, sql, type: 'json', selected: `${sql} as "${property}"` };
  const { array: isArray = false, transformer } = column;
  const base = dataSource.driver.normalizeType(column);
  const suffix = isArray ? '[]' : '';
  const cast = `(${sql}::${castOf(base, column)}${suffix})`;
  const codec = codecOf({ type: base, isArray, transformer });
  const selected = `${codec?.select(cast) ?? cast} as "${property}"`;
  return { ...common, sql: cast, type: `${base}${suffix}`, selected };
}

/** The type that a value is computed as: rounded to what its field can show. */
function castOf(type: string, { precision, scale }: ColumnOptions): string {
  if (type === 'numeric' && precision) return `numeric(${precision},${scale ?? 0})`;
  return type === 'timestamp with time zone' ? 'timestamp(3) with time zone' : type;
}

const selectionOf = (operands: readonly Operand[]): string =>
  operands.map(({ selected }) => selected).join(', ');

export class Table {
  readonly name: string;
  readonly columns: ReadonlyMap<string, TableColumn>;
  /** The expressions to return from a write: all columns but those marked `select: false`. */
  readonly stored: string;
  readonly whole: string;
  readonly isWholeWhenWritten: boolean;
  /** The values of a row for whoever writes SQL about it. Throws for a property that the entity does not have. */
  readonly row: Columns;
  private readonly computed: ReadonlyMap<string, Declaration>;

  constructor(private readonly metadata: EntityMetadata) {
    const { target, tableName, columns } = metadata;
    this.name = `"${tableName}"`;
    this.columns = new Map(columns.map((column) => [column.propertyName, columnOf(metadata, column)]));
    const get = (_: Columns, property: string | symbol): unknown =>
      typeof property === 'string' ? this.operand(property).sql : (): string => this.name;
    this.row = new Proxy<Columns>({}, { get });
    const fields = typeof target === 'function' ? [...fieldsOf(target as Fields)] : [];
    this.computed = new Map(fields.filter(([, { options }]) => options.computed));
    this.isWholeWhenWritten = this.computed.size === 0;
    const stored = [...this.columns.values()].filter(({ isHidden }) => !isHidden);
    this.stored = selectionOf(stored);
    this.whole = selectionOf([...stored, ...[...this.computed.keys()].map((name) => this.operand(name))]);
  }

  parameter(property: string, value: unknown): unknown {
    const { type, codec } = this.column(property);
    if (value === null || value === undefined) return value;
    return type.startsWith('json') ? JSON.stringify(value) : codec ? (codec.to(value) as unknown) : value;
  }

  /** @throws Error where a declaration names a property that the entity does not have */
  column(property: string): TableColumn {
    const column = this.columns.get(property);
    if (!column) throw new Error(`${this.name} has no column for ${property}`);
    return column;
  }

  /** A column, or what is computed. @throws Error where a declaration names a property that the entity does not have */
  operand(property: string): Operand {
    const field = this.computed.get(property);
    if (!field) return this.column(property);
    return computedOperand(property, field, this.metadata, this.row);
  }
}

/**
 * The condition that a column has one of several values. PostgreSQL keeps one plan for it: for an array that is a
 * parameter itself it estimates anew for each request.
 * @example isAnyOf('id', '$1', 'int') // a condition, for a parameter that is an array of ids
 */
export const isAnyOf = (column: string, placeholder: string, type: string): string =>
  `${column} = any((select ${placeholder}::${type}[])::${type}[])`;
