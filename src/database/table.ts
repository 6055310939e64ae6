import { createHash } from 'node:crypto';

import { EntityMetadata } from 'typeorm';

export interface TableColumn {
  readonly property: string;
  /** Quoted. */
  readonly name: string;
  /** As a cast names it. */
  readonly type: string;
  readonly isNullable: boolean;
}

/** How a column comes out of PostgreSQL as the value that the API shows: nothing is left to convert here. */
function selected({ name, property, type }: TableColumn): string {
  if (type.startsWith('timestamp')) {
    return `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "${property}"`;
  }
  // At most 15 digits: exact in a double, which is what JSON numbers are read as.
  if (type === 'numeric') return `${name}::float8 as "${property}"`;
  return `${name} as "${property}"`;
}

/** A table as statements need it, from the metadata of its entity. */
export class Table {
  /** Quoted. */
  readonly name: string;
  readonly columns: ReadonlyMap<string, TableColumn>;
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
      metadata.columns.map(({ propertyName: property, databaseName, type, isNullable }) => [
        property,
        {
          property,
          name: `"${databaseName}"`,
          type: metadata.dataSource.driver.normalizeType({ type }),
          isNullable,
        },
      ]),
    );
    const isShown = new Set(
      metadata.columns.filter(({ isSelect }) => isSelect).map(({ propertyName }) => propertyName),
    );
    const stored = [...this.columns.values()].filter(({ property }) => isShown.has(property)).map(selected);
    this.stored = stored.join(', ');
    const others = Object.entries(computed).map(([property, sql]) => `(${sql}) as "${property}"`);
    this.selection = [...stored, ...others].join(', ');
  }

  /** Whether what a write returns is the whole row. */
  get isWholeWhenWritten(): boolean {
    return Object.keys(this.computed).length === 0;
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
