import { EntityTarget, ObjectLiteral } from 'typeorm';

import { Database } from '#src/database/database.js';
import { Table } from '#src/database/table.js';

/** Writes of many rows at once, past the services: they must keep the rules themselves. */
export class SeedRepository {
  constructor(private readonly database: Database) {}

  /** Adds rows that all have the same keys, all of them or, where one is refused, none. */
  async add(entity: EntityTarget<ObjectLiteral>, rows: readonly object[]): Promise<void> {
    const [first] = rows;
    if (!first) return;
    const table = this.table(entity);
    const columns = Object.keys(first).map((property) => table.column(property));
    const names = columns.map(({ name }) => name).join(', ');
    // One array a column: the statement stays the same, and short, whatever the number of rows.
    const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
    await this.database.query({
      text: `insert into ${table.name} (${names}) select * from unnest(${arrays})`,
      values: columns.map(({ property }) => rows.map((row) => (row as Record<string, unknown>)[property])),
    });
  }

  /** Brings up to date what the planner knows of a table, and which pages an index-only scan need not look up. */
  async tidy(entity: EntityTarget<ObjectLiteral>): Promise<void> {
    await this.database.query({ text: `vacuum (analyze) ${this.table(entity).name}`, values: [] });
  }

  private table(entity: EntityTarget<ObjectLiteral>): Table {
    return new Table(this.database.metadataOf(entity));
  }
}
