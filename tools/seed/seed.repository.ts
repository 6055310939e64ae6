import { EntityTarget, ObjectLiteral } from 'typeorm';

import { Connection } from '../../src/database/connection.js';
import { Database } from '../../src/database/database.js';
import { Table } from '../../src/database/table.js';
import { ExistingRow } from './existing.js';
import { Generator, Parts } from './generator.js';

type Row = Readonly<Record<string, unknown>>;

/** Rows of one kind that others refer to at most: as many as fit into memory with ease. */
const SAMPLE_SIZE = 100_000;

/** Writes of many rows at once, past the services: they must keep the rules themselves. */
export class SeedRepository {
  constructor(private readonly database: Database) {}

  /**
   * Adds rows that all have the same keys, and their parts, in one transaction: all of them or, where one is refused,
   * none. Those that break a unique constraint are passed over.
   *
   * @returns how many were added
   */
  add({ entity, parts }: Pick<Generator, 'entity' | 'parts'>, rows: readonly object[]): Promise<number> {
    const table = this.table(entity);
    return this.database.transaction((on) =>
      parts
        ? this.addWithParts(table, parts, rows as readonly Row[], on)
        : insert(table, rows as readonly Row[], on),
    );
  }

  /** The highest id of a table, 0 where it is empty. */
  async lastId(entity: EntityTarget<ObjectLiteral>): Promise<number> {
    const text = `select coalesce(max(id), 0) as id from ${this.table(entity).name}`;
    const [last] = await this.database.query<{ id: number }>({ text, values: [] });
    return (last as { id: number }).id;
  }

  /** Rows that others can refer to, in the order of their creation: all, or of very many the same sample each time. */
  existing(
    entity: EntityTarget<ObjectLiteral>,
    properties: readonly string[],
    limit = SAMPLE_SIZE,
  ): Promise<(ExistingRow & Row)[]> {
    const table = this.table(entity);
    const selected = properties.map((property) => `${table.column(property).name}::text as "${property}"`);
    const columns = [
      'id',
      'floor(extract(epoch from created_at) * 1000)::float8 as "createdMs"',
      ...selected,
    ];
    const text = `
      select ${columns.join(', ')} from (select * from ${table.name} order by hashint4(id) limit $1) as sample
      order by created_at, id`;
    return this.database.query({ text, values: [limit] });
  }

  /** Brings up to date what the planner knows of a table, and which pages an index-only scan need not look up. */
  async tidy(entity: EntityTarget<ObjectLiteral>): Promise<void> {
    await this.database.query({ text: `vacuum (analyze) ${this.table(entity).name}`, values: [] });
  }

  private async addWithParts(
    table: Table,
    { entity, property, owner }: Parts,
    rows: readonly Row[],
    on: Connection,
  ): Promise<number> {
    const ids = await newIds(table, rows.length, on);
    const parts: Row[] = [];
    const owners = rows.map((row, index): Row => {
      const { [property]: own, ...rest } = row;
      for (const part of own as readonly Row[]) parts.push({ ...part, [owner]: ids[index] });
      return { ...rest, id: ids[index] };
    });
    const added = await insert(table, owners, on);
    await insert(this.table(entity), parts, on);
    return added;
  }

  private table(entity: EntityTarget<ObjectLiteral>): Table {
    return new Table(this.database.metadataOf(entity));
  }
}

async function insert(table: Table, rows: readonly Row[], on: Connection): Promise<number> {
  const [first] = rows;
  if (!first) return 0;
  const columns = Object.keys(first).map((property) => table.column(property));
  const names = columns.map(({ name }) => name).join(', ');
  // One array a column: the statement stays the same, and short, whatever the number of rows.
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
  const text = `
    with added as (
      insert into ${table.name} (${names}) select * from unnest(${arrays}) on conflict do nothing returning 1
    ) select count(*)::int as count from added`;
  const values = columns.map(({ property }) => rows.map((row) => row[property]));
  const [added] = await on.query<{ count: number }>({ text, values });
  return (added as { count: number }).count;
}

/** Ids that nobody else gets, in ascending order. */
async function newIds(table: Table, count: number, on: Connection): Promise<number[]> {
  const text = `select nextval(pg_get_serial_sequence($1, 'id'))::int as id from generate_series(1, $2::int)`;
  const ids = await on.query<{ id: number }>({ text, values: [table.name, count] });
  return ids.map(({ id }) => id).sort((a, b) => a - b);
}
