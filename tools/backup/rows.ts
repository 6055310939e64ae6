import { Client } from 'pg';

import { ArchiveWriter, RowsLine, SequenceLine } from './archive.js';

/** Rows of one line of the archive, and of one statement that writes them. */
const BATCH = 500;

/** Tables that migrations write by themselves. */
const NOT_COPIED = ['migrations'];

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

interface Column {
  readonly name: string;
  readonly type: string;
}

/** The tables of the service, by name. */
async function tablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname <> all($1) order by 1`,
    [NOT_COPIED],
  );
  return rows.map(({ name }) => name);
}

/** The columns of a table that hold values of their own. */
async function columnsOf(client: Client, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [quoted(table)],
  );
  return rows;
}

/** The names of the migrations that have run. */
export async function migrationsOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by id');
  return rows.map(({ name }) => name);
}

/** Writes all rows and sequences to an archive, as one moment sees them. @returns how many rows */
export async function writeRows(client: Client, archive: ArchiveWriter): Promise<number> {
  let count = 0;
  for (const table of await tablesOf(client)) {
    const columns = await columnsOf(client, table);
    const values = columns.map(({ name }) => `${quoted(name)}::text`).join(', ');
    await client.query(`declare backup no scroll cursor for select ${values} from ${quoted(table)}`);
    for (let isMore = true; isMore;) {
      const { rows } = await client.query<(string | null)[]>({
        text: `fetch ${BATCH} from backup`,
        rowMode: 'array',
      });
      count += rows.length;
      isMore = rows.length === BATCH;
      if (rows.length > 0) await archive.write({ table, columns: columns.map(({ name }) => name), rows });
    }
    await client.query('close backup');
  }
  for (const line of await sequencesOf(client)) await archive.write(line);
  return count;
}

async function sequencesOf(client: Client): Promise<SequenceLine[]> {
  const { rows } = await client.query<SequenceLine>(
    `select sequencename as sequence, last_value::text as value from pg_sequences
     where schemaname = current_schema() and last_value is not null and sequencename not like 'migrations%'`,
  );
  return rows;
}

/** Empties all tables, and keeps triggers and foreign keys from acting until the transaction ends. */
export async function beginRestoring(client: Client): Promise<void> {
  await client.query(`begin; set local session_replication_role = 'replica'`);
  const tables = await tablesOf(client);
  await client.query(`truncate ${tables.map(quoted).join(', ')}`);
}

/** Writes a line of an archive. */
export async function restoreLine(client: Client, line: RowsLine | SequenceLine): Promise<void> {
  if ('sequence' in line) {
    await client.query('select setval(to_regclass($1), $2)', [quoted(line.sequence), line.value]);
    return;
  }
  const types = new Map((await columnsOf(client, line.table)).map(({ name, type }) => [name, type]));
  const values = line.columns.map((name, at) => {
    const type = types.get(name);
    if (type === undefined) throw new Error(`the table ${line.table} has no column ${name}`);
    return `(item->>${at})::${type}`;
  });
  await client.query(
    `insert into ${quoted(line.table)} (${line.columns.map(quoted).join(', ')}) overriding system value
     select ${values.join(', ')} from jsonb_array_elements($1::jsonb) as items (item)`,
    [JSON.stringify(line.rows)],
  );
}
