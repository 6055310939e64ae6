import { ColumnOptions, EntityMetadata } from 'typeorm';

import { PreparedTexts } from './sql-executor.js';
import { Codec, findCodec } from '../fields/codec.js';
import { FieldDeclaration, FieldClass, fieldsOf } from '../fields/field.js';

type ColumnMetadata = EntityMetadata['columns'][number];

/** The SQL expressions of a row, by property name. `String(columns)` is the name of the table. */
export type Columns<Entity = Record<string, unknown>> = { readonly [P in keyof Entity]-?: string };

/** A value that statements select, compare and sort by: a column or a computed field. */
export interface Operand {
  /**
   * The SQL expression. It includes the table name, because a bare name in ORDER BY means the selected value, for which
   * there is no index.
   */
  readonly sql: string;
  readonly type: string;
  readonly isNullable: boolean;
  /** Whether rows are read without this value, because its column has `select: false`. */
  readonly isHidden: boolean;
  /**
   * The SQL for a SELECT list. It converts the value to the form of the property, and names the result like the
   * property.
   */
  readonly selectSql: string;
}

export interface TableColumn extends Operand {
  readonly name: string;
  readonly codec: Codec | undefined;
}

/**
 * Other names for `character` and `bit`. Without a length, these two mean a length of 1, so a cast to them would cut
 * longer values.
 */
const UNBOUNDED_TYPES: Readonly<Record<string, string>> = { character: 'bpchar', bit: '"bit"' };

function toTableColumn({ dataSource, tableName }: EntityMetadata, column: ColumnMetadata): TableColumn {
  const { propertyName, databaseName, isArray, isNullable, isSelect, enumName } = column;
  const base = dataSource.driver.normalizeType(column);
  const name = `"${databaseName}"`;
  const codec = findCodec({ ...column, type: base });
  // TypeORM names the type of an enum after its column.
  const enumType = `"${enumName ?? `${tableName}_${databaseName}_enum`}"`;
  const type = base === 'enum' ? enumType : (UNBOUNDED_TYPES[base] ?? base);
  return {
    name,
    sql: `"${tableName}".${name}`,
    type: isArray ? `${type}[]` : type,
    isNullable,
    isHidden: !isSelect,
    selectSql: `${codec?.select(name) ?? name} as "${propertyName}"`,
    codec,
  };
}

function computedOperand(
  property: string,
  { type: { column }, options }: FieldDeclaration,
  { dataSource }: EntityMetadata,
  columns: Columns,
): Operand {
  const sql = `(${options.computed?.(columns) ?? ''})`;
  const common = { isNullable: options.nullable === true, isHidden: false };
  // A list of objects is JSON, which can be selected but not compared.
  if (!column) return { ...common, sql, type: 'json', selectSql: `${sql} as "${property}"` };
  const { array: isArray = false, transformer } = column;
  const base = dataSource.driver.normalizeType(column);
  const suffix = isArray ? '[]' : '';
  const cast = `(${sql}::${castType(base, column)}${suffix})`;
  const codec = findCodec({ type: base, isArray, transformer });
  const selected = `${codec?.select(cast) ?? cast} as "${property}"`;
  return { ...common, sql: cast, type: `${base}${suffix}`, selectSql: selected };
}

/** Returns the type to which a computed value is cast. The cast rounds the value to the precision of its field. */
function castType(type: string, { precision, scale }: ColumnOptions): string {
  if (type === 'numeric' && precision) return `numeric(${precision},${scale ?? 0})`;
  return type === 'timestamp with time zone' ? 'timestamp(3) with time zone' : type;
}

const selectList = (operands: readonly Operand[]): string =>
  operands.map(({ selectSql }) => selectSql).join(', ');

/** The tables that `tableOf()` has returned. */
const tables = new WeakMap<EntityMetadata, EntityTable>();

/** The table of an entity, with the SQL from which repositories and lists build their statements. */
export class EntityTable {
  readonly name: string;
  readonly columns: ReadonlyMap<string, TableColumn>;
  /** The expressions that a write returns: all columns except those with `select: false`. */
  readonly returning: string;
  /** The expressions that a read selects: those of `returning`, and the computed fields. */
  readonly selectAll: string;
  readonly hasComputedFields: boolean;
  /** The INSERT and UPDATE statements of the table that are prepared. */
  readonly writes = new PreparedTexts();
  /** The SQL expressions of a row. Throws if you read a property that the entity does not have. */
  readonly row: Columns;
  private readonly computed: ReadonlyMap<string, FieldDeclaration>;

  constructor(private readonly metadata: EntityMetadata) {
    const { target, tableName, columns } = metadata;
    this.name = `"${tableName}"`;
    this.columns = new Map(columns.map((column) => [column.propertyName, toTableColumn(metadata, column)]));
    const get = (_: Columns, property: string | symbol): unknown =>
      typeof property === 'string' ? this.operand(property).sql : (): string => this.name;
    this.row = new Proxy<Columns>({}, { get });
    const fields = typeof target === 'function' ? [...fieldsOf(target as FieldClass)] : [];
    this.computed = new Map(fields.filter(([, { options }]) => options.computed));
    this.hasComputedFields = this.computed.size > 0;
    const stored = [...this.columns.values()].filter(({ isHidden }) => !isHidden);
    this.returning = selectList(stored);
    this.selectAll = selectList([...stored, ...[...this.computed.keys()].map((name) => this.operand(name))]);
  }

  /** Returns the table of another entity in the same database. */
  tableOf(entity: FieldClass): EntityTable {
    const metadata = this.metadata.dataSource.getMetadata(entity);
    let table = tables.get(metadata);
    if (!table) tables.set(metadata, (table = new EntityTable(metadata)));
    return table;
  }

  /** Converts the value of a property to a parameter of a statement. */
  parameter(property: string, value: unknown): unknown {
    const { type, codec } = this.column(property);
    if (value === null || value === undefined) return value;
    const stored: unknown = codec ? codec.to(value) : value;
    return /^jsonb?$/.test(type) ? JSON.stringify(stored) : stored;
  }

  /** @throws Error if the entity has no such column */
  column(property: string): TableColumn {
    const column = this.columns.get(property);
    if (!column) throw new Error(`${this.name} has no column for ${property}`);
    return column;
  }

  /** Returns a column or a computed field. @throws Error if the entity has no such property */
  operand(property: string): Operand {
    const field = this.computed.get(property);
    if (!field) return this.column(property);
    return computedOperand(property, field, this.metadata, this.row);
  }
}

/**
 * Builds the condition that a column equals one of several values. PostgreSQL keeps one plan for a statement with this
 * condition. A statement with a plain `= any($1)` would be planned again for each request.
 * @example equalsAnySql('id', '$1', 'bigint') // $1 is an array of ids
 */
export const equalsAnySql = (column: string, placeholder: string, type: string): string =>
  `${column} = any((select ${placeholder}::${type}[])::${type}[])`;
