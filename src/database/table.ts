import { createHash } from 'node:crypto';

import { EntityMetadata } from 'typeorm';

import { codecOf } from '../fields/codec.js';

type ColumnMetadata = EntityMetadata['columns'][number];

export interface TableColumn {
  readonly property: string;
  /** Quoted. */
  readonly name: string;
  /** As a cast names it. */
  readonly type: string;
  readonly isNullable: boolean;
  /** The value of the column as its property holds it: an SQL expression under the property's name. */
  readonly selected: string;
}

function columnOf(metadata: EntityMetadata, column: ColumnMetadata): TableColumn {
  const { propertyName: property, databaseName, isArray, isNullable, enumName, transformer } = column;
  const baseType = metadata.dataSource.driver.normalizeType(column);
  const name = `"${databaseName}"`;
  const codec = codecOf({ type: baseType, isArray, transformer });
  // TypeORM names the type of an enum after its column.
  const named =
    baseType === 'enum' ? `"${enumName ?? `${metadata.tableName}_${databaseName}_enum`}"` : baseType;
  return {
    property,
    name,
    type: isArray ? `${named}[]` : named,
    isNullable,
    selected: `${codec?.select(name) ?? name} as "${property}"`,
  };
}

/** A table as statements need it, from the metadata of its entity. */
export class Table {
  /** Quoted. */
  readonly name: string;
  readonly columns: ReadonlyMap<string, TableColumn>;
  /** The column that says when a row was deleted, where rows are kept: `@DeleteDateColumn()`. */
  readonly deletedAt: string | undefined;
  /** What to return of a row that was written: every column but those marked `select: false`. */
  readonly stored: string;
  /** What to select for a whole row: what is stored, and what is computed from other tables. */
  readonly selection: string;

  /** @param computed more properties of a row, each as SQL that names this table's columns by the table's name */
  constructor(
    metadata: EntityMetadata,
    private readonly computed: Readonly<Record<string, string>> = {},
  ) {
    this.name = `"${metadata.tableName}"`;
    this.columns = new Map(
      metadata.columns.map((column) => [column.propertyName, columnOf(metadata, column)]),
    );
    const { deleteDateColumn } = metadata as { deleteDateColumn?: ColumnMetadata };
    this.deletedAt = deleteDateColumn && `"${deleteDateColumn.databaseName}"`;
    const stored = metadata.columns
      .filter(({ isSelect }) => isSelect)
      .map(({ propertyName }) => this.column(propertyName).selected);
    this.stored = stored.join(', ');
    const others = Object.entries(computed).map(([property, sql]) => `(${sql}) as "${property}"`);
    this.selection = [...stored, ...others].join(', ');
  }

  /** Whether what a write returns is the whole row. */
  get isWholeWhenWritten(): boolean {
    return Object.keys(this.computed).length === 0;
  }

  /** What is true of the rows that are there; `undefined`: all are. */
  get condition(): string | undefined {
    return this.deletedAt && `${this.name}.${this.deletedAt} is null`;
  }

  /** A value as the parameter that stands for it. */
  parameter(property: string, value: unknown): unknown {
    const isJson = this.column(property).type.startsWith('json');
    return isJson && value !== null ? JSON.stringify(value) : value;
  }

  /** @throws Error where a declaration names a property that the entity does not have */
  column(property: string): TableColumn {
    const column = this.columns.get(property);
    if (!column) throw new Error(`${this.name} has no column for ${property}`);
    return column;
  }
}

/** A name for a prepared statement: the same for the same text. */
export function statementName(text: string): string {
  return `plinth_${createHash('sha1').update(text).digest('base64url')}`;
}
