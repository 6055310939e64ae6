import { DataSource, QueryRunner, TableColumn } from 'typeorm';

import { isWidening } from './column-types.js';
import { Decisions } from './options.js';
import { identifier } from './sql-words.js';
import { Statements, statementsOf } from './statements.js';

type Metadata = DataSource['entityMetadatas'][number];

/** The statements of something that a query runner would do. */
async function recorded(
  dataSource: DataSource,
  work: (runner: QueryRunner) => Promise<void>,
): Promise<Statements> {
  const runner = dataSource.createQueryRunner();
  try {
    runner.enableSqlMemory();
    await work(runner);
    return statementsOf(runner.getMemorySql());
  } finally {
    runner.disableSqlMemory();
    await runner.release();
  }
}

/** Renames and drops that were asked for. @throws Error of TypeORM where there is no such column */
export function renamesAndDrops(dataSource: DataSource, { renames, drops }: Decisions): Promise<Statements> {
  return recorded(dataSource, async (runner) => {
    for (const { table, column, to } of renames) await runner.renameColumn(table, column, to);
    for (const { table, column } of drops) {
      if (column === undefined) await runner.dropTable(table, false, true, true);
      else await runner.dropColumn(table, column);
    }
  });
}

interface ColumnInDatabase {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
}

async function columnsOf(dataSource: DataSource, table: string): Promise<Map<string, ColumnInDatabase>> {
  const text = `
    select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as "isRequired"
    from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped`;
  const rows = await dataSource.query<ColumnInDatabase[]>(text, [identifier(table)]);
  return new Map(rows.map((row) => [row.name, row]));
}

/** The type that an entity declares, as `format_type()` writes it. */
async function declaredType(dataSource: DataSource, column: Metadata['columns'][number]): Promise<string> {
  const { driver } = dataSource;
  const { precision, scale, isArray } = column;
  const type = driver.normalizeType(column);
  if (type === 'enum') return 'enum';
  const length = driver.getColumnLength(column);
  const full = driver.createFullType(
    new TableColumn({ name: 'tried', type, length, precision: precision ?? undefined, scale, isArray }),
  );
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query(`create temporary table tried_type (tried ${full}) on commit drop`);
    const text = `
      select format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = 'pg_temp.tried_type'::regclass and attname = 'tried'`;
    const [row] = (await runner.query(text)) as { type: string }[];
    return row?.type ?? full;
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

/** A column that an entity declares, on a table that is there. */
interface DeclaredColumn {
  readonly column: Metadata['columns'][number];
  /** Table and column as SQL has them. */
  readonly table: string;
  readonly name: string;
  /** `suppliers.country`, as options and messages name it. */
  readonly place: string;
  /** The value, as SQL, that rows that are there get where it is required from now on. */
  readonly fill: string | undefined;
}

/**
 * Changes of existing tables that TypeORM would make by dropping columns, or that take a decision: types that take more
 * than before, and columns that are required from now on.
 *
 * @param problems gets a line for each change that would lose values, or cannot be made on a table that has rows
 */
export async function columnChanges(
  dataSource: DataSource,
  { fills }: Decisions,
  problems: string[],
): Promise<Statements> {
  const changes: ColumnChanges = { up: [], down: [], problems };
  for (const metadata of dataSource.entityMetadatas) {
    const { tableName } = metadata;
    const there = await columnsOf(dataSource, tableName);
    if (there.size === 0) continue;
    problems.push(...gone(metadata, there));
    for (const column of metadata.columns) {
      const { databaseName } = column;
      const declared: DeclaredColumn = {
        column,
        table: identifier(tableName),
        name: identifier(databaseName),
        place: `${tableName}.${databaseName}`,
        fill: fills.find((fill) => fill.table === tableName && fill.column === databaseName)?.value,
      };
      const before = there.get(databaseName);
      if (!before) await addColumn(dataSource, declared, changes);
      else {
        changeType(declared, before, await declaredType(dataSource, column), changes);
        if (!before.isRequired && !column.isNullable) fillColumn(declared, changes);
      }
    }
  }
  return { up: changes.up, down: changes.down };
}

type ColumnChanges = Readonly<Record<'up' | 'down' | 'problems', string[]>>;

/** A column that is new and has no value for the rows that are there. TypeORM adds all others. */
async function addColumn(
  dataSource: DataSource,
  { column, table, name, place, fill }: DeclaredColumn,
  { up, down, problems }: ColumnChanges,
): Promise<void> {
  const isRequired = !column.isNullable && column.default === undefined && !column.isGenerated;
  if (isRequired && fill === undefined) problems.push(`${place} is new and required: ${FILL(place)}`);
  if (fill === undefined) return;
  const type = await declaredType(dataSource, column);
  const collation = column.collation ? ` collate "${column.collation}"` : '';
  up.push(`alter table ${table} add column ${name} ${type}${collation}`);
  up.push(`update ${table} set ${name} = ${fill}`);
  up.push(`alter table ${table} alter column ${name} set not null`);
  down.unshift(`alter table ${table} drop column ${name}`);
}

/** A type that is another one than before: only one that takes all that the old one took. */
function changeType(
  { table, name, place }: DeclaredColumn,
  before: ColumnInDatabase,
  type: string,
  { up, down, problems }: ColumnChanges,
): void {
  if (type === before.type || type === 'enum') return;
  if (!isWidening(before.type, type)) {
    problems.push(
      `${place} would go from ${before.type} to ${type}, which some values do not survive: ` +
        `write that migration by hand, or drop what it holds with --drop ${place}`,
    );
    return;
  }
  const alter = `alter table ${table} alter column ${name} type`;
  up.push(`${alter} ${type}`);
  down.unshift(`${alter} ${before.type}`);
}

/** A column that is required from now on; TypeORM makes it so. */
function fillColumn({ table, name, place, fill }: DeclaredColumn, { up, problems }: ColumnChanges): void {
  if (fill === undefined) problems.push(`${place} becomes required: ${FILL(place)}`);
  else up.push(`update ${table} set ${name} = ${fill} where ${name} is null`);
}

const FILL = (place: string): string =>
  `rows that are there need a value, such as --fill "${place}='unknown'", or it has a default or is nullable`;

/** Columns of the table that the entity does not have. */
function gone(metadata: Metadata, there: ReadonlyMap<string, ColumnInDatabase>): string[] {
  const { tableName, columns } = metadata;
  const added = columns.filter(({ databaseName }) => !there.has(databaseName));
  return [...there.keys()]
    .filter((name) => !columns.some(({ databaseName }) => databaseName === name))
    .map((name) => {
      const place = `${tableName}.${name}`;
      const renames = added.map(({ databaseName }) => `--rename ${place}:${databaseName}`);
      const keep = renames.length > 0 ? `${renames.join(' or ')} keeps what it holds, ` : '';
      return `${place} has no field any more: ${keep}--drop ${place} drops it`;
    });
}
