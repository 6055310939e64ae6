import { DataSource } from 'typeorm';

import { DeclaredIndex, expressionIndexesOf } from '../../src/core/database/expression-index.js';
import { formatDefinition } from './format-sql.js';
import { plain } from './schema.js';
import { identifier } from './sql-words.js';
import { Statements } from './statements.js';

type Metadata = DataSource['entityMetadatas'][number];

/** The name of a constraint or an index, and its definition as PostgreSQL writes it. */
interface Definition {
  readonly name: string;
  readonly definition: string;
}

/**
 * Checks and partial indexes whose conditions have changed, which TypeORM does not see: it compares names. They are
 * taken away here, so that it makes them anew.
 */
export async function changedConditions(dataSource: DataSource): Promise<Statements> {
  const up: string[] = [];
  const down: string[] = [];
  for (const metadata of dataSource.entityMetadatas) {
    const table = identifier(metadata.tableName);
    for (const { name = '', expression } of metadata.checks) {
      const text = `
        select pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = to_regclass($1) and conname = $2`;
      const create = `alter table ${table} add constraint tried_check check (${expression}) not valid`;
      const before = await changed(dataSource, text, [table, name], create, [table, 'tried_check']);
      if (before === undefined) continue;
      up.push(`alter table ${table} drop constraint ${identifier(name)}`);
      down.unshift(`alter table ${table} add constraint ${identifier(name)} ${formatDefinition(before)}`);
    }
    for (const { name, where, isUnique, columns } of metadata.indices) {
      if (!where) continue;
      const on = columns.map(({ databaseName }) => identifier(databaseName)).join(', ');
      const create = indexStatement(metadata, { name: 'tried_index', on, unique: isUnique, where });
      const before = await changed(dataSource, INDEX, [name], create, ['tried_index']);
      if (before === undefined) continue;
      up.push(`drop index ${identifier(name)}`);
      down.unshift(formatDefinition(before));
    }
  }
  return { up, down };
}

const INDEX = `
  select indexdef as definition from pg_indexes where schemaname = 'public' and indexname = $1`;

/** The existing definition where it differs from the one that a statement would create; `undefined`: same, or none. */
async function changed(
  dataSource: DataSource,
  text: string,
  values: readonly string[],
  create: string,
  triedValues: readonly string[],
): Promise<string | undefined> {
  const [there] = await dataSource.query<Definition[]>(text, [...values]);
  if (!there) return undefined;
  const runner = dataSource.createQueryRunner();
  await runner.startTransaction();
  try {
    await runner.query(create);
    const [tried] = (await runner.query(text, [...triedValues])) as Definition[];
    const nameless = ({ definition }: Definition, name: string): string =>
      plain(definition.replace(name, '').replace(/ NOT VALID$/, ''));
    const isSame =
      nameless(there, values.at(-1) ?? '') === nameless(tried as Definition, triedValues.at(-1) ?? '');
    return isSame ? undefined : there.definition;
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

/** The indexes of `@ExpressionIndex()` that are not there yet, or on something else. Their tables are there. */
export async function expressionIndexes(dataSource: DataSource): Promise<Statements> {
  const up: string[] = [];
  const down: string[] = [];
  for (const metadata of dataSource.entityMetadatas) {
    for (const index of expressionIndexesOf(metadata.target as object)) {
      const [there] = await dataSource.query<Definition[]>(INDEX, [index.name]);
      const tried = indexStatement(metadata, { ...index, name: 'tried_index' });
      const before = await changed(dataSource, INDEX, [index.name], tried, ['tried_index']);
      if (there && before === undefined) continue;
      if (before !== undefined) {
        up.push(`drop index ${identifier(index.name)}`);
        down.unshift(formatDefinition(before));
      }
      up.push(indexStatement(metadata, index));
      down.unshift(`drop index ${identifier(index.name)}`);
    }
  }
  return { up, down };
}

function indexStatement({ tableName }: Metadata, { name, on, unique, where }: DeclaredIndex): string {
  const condition = where ? ` where ${where}` : '';
  return `create ${unique ? 'unique ' : ''}index ${identifier(name)} on ${identifier(tableName)} (${on})${condition}`;
}
