import { EntityMetadata } from 'typeorm';

import { Codec, codecOf } from '../fields/codec.js';
import {
  Columns,
  columnsOf,
  computedOf,
  ComputedOperand,
  Operand,
  Selected,
  selectedOf,
} from './operands.js';

type ColumnMetadata = EntityMetadata['columns'][number];

export interface TableColumn extends Selected {
  /** Quoted. */
  readonly name: string;
  /** As a cast names it. */
  readonly type: string;
  readonly isNullable: boolean;
  /** Whether it is never read: `select: false`. */
  readonly isHidden: boolean;
  readonly codec: Codec | undefined;
}

/** Types whose usual names without a length mean a length of 1: a cast by those would truncate what is longer. */
const OF_ANY_LENGTH: Readonly<Record<string, string>> = { character: 'bpchar', bit: '"bit"' };

function columnOf(metadata: EntityMetadata, column: ColumnMetadata): TableColumn {
  const {
    propertyName: property,
    databaseName,
    isArray,
    isNullable,
    isSelect,
    enumName,
    transformer,
    isGenerated,
  } = column;
  const baseType = metadata.dataSource.driver.normalizeType(column);
  const name = `"${databaseName}"`;
  const codec = codecOf({ type: baseType, isArray, transformer, isGenerated });
  // TypeORM names the type of an enum after its column.
  const named =
    baseType === 'enum'
      ? `"${enumName ?? `${metadata.tableName}_${databaseName}_enum`}"`
      : (OF_ANY_LENGTH[baseType] ?? baseType);
  return {
    ...selectedOf(property, name, codec),
    name,
    type: isArray ? `${named}[]` : named,
    isNullable,
    isHidden: !isSelect,
    codec,
  };
}

/** A table as statements need it, from the metadata of its entity. */
export class Table {
  /** Quoted. */
  readonly name: string;
  readonly columns: ReadonlyMap<string, TableColumn>;
  /** The column that says when a row was deleted, if deleted rows stay in the table: `@DeleteDateColumn()`. */
  readonly deletedAt: string | undefined;
  /** The expressions to return from a write: all columns but those marked `select: false`. */
  readonly stored: string;
  /** The expressions to select for a whole row, stored and computed. */
  readonly whole: string;
  /** The values of a row as SQL names them, columns and what is computed, by property. */
  readonly row: Columns;
  private readonly computed: ReadonlyMap<string, () => ComputedOperand>;
  /** The computed values whose SQL is being asked for. */
  private readonly asked = new Set<string>();

  constructor(metadata: EntityMetadata) {
    this.name = `"${metadata.tableName}"`;
    this.columns = new Map(
      metadata.columns.map((column) => [column.propertyName, columnOf(metadata, column)]),
    );
    const { deleteDateColumn } = metadata as { deleteDateColumn?: ColumnMetadata };
    this.deletedAt = deleteDateColumn && `"${deleteDateColumn.databaseName}"`;
    const stored = [...this.columns.values()].filter(({ isHidden }) => !isHidden);
    this.row = columnsOf(this.name, (property) => this.operand(property));
    this.computed = computedOf(metadata, this.row);
    const whole = [...stored, ...[...this.computed.keys()].map((property) => this.computedOperand(property))];
    this.stored = stored.map(({ selected }) => selected).join(', ');
    this.whole = whole.map(({ selected }) => selected).join(', ');
  }

  /** Whether what a write returns is the whole row. */
  get isWholeWhenWritten(): boolean {
    return this.computed.size === 0;
  }

  /** The condition that holds for rows that are not deleted; `undefined`: for all. */
  get condition(): string | undefined {
    return this.deletedAt && `${this.name}.${this.deletedAt} is null`;
  }

  /** A value as the parameter that stands for it. */
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
    if (this.computed.has(property)) return this.computedOperand(property);
    const column = this.column(property);
    return { ...column, sql: `${this.name}.${column.name}` };
  }

  private computedOperand(property: string): ComputedOperand {
    if (this.asked.has(property)) throw new Error(`${property} is computed of itself`);
    this.asked.add(property);
    try {
      return (this.computed.get(property) as () => ComputedOperand)();
    } finally {
      this.asked.delete(property);
    }
  }
}

/**
 * The condition that a column has one of several values, in a form that lets PostgreSQL keep one plan. For an array
 * that is a parameter itself PostgreSQL looks at the values, estimates that plans for a few of them are cheaper than
 * the one for any, and makes a plan for each request.
 */
export const isAnyOf = (column: string, placeholder: string, type: string): string =>
  `${column} = any((select ${placeholder}::${type}[])::${type}[])`;
