import { ListDefinition, scopedList, SEARCH_COLUMN } from '@plinth/core/dev';
import { DataSource } from 'typeorm';

import { changedDefinitions, changedSearches, missingFilterIndexes } from './definitions.js';
import { removeNoOps } from './no-op-statements.js';
import { concatStatements, Statements } from './migration-files.js';
import { missingTotals, missingVersionTriggers } from './triggers.js';

/** Statements that lose values, or that fail on a table with rows. */
const RISKS: readonly (readonly [form: RegExp, risk: string])[] = [
  [/ DROP COLUMN | DROP TABLE /, 'loses its values'],
  [/ ALTER COLUMN \S+ TYPE /, 'may not keep every value'],
  [/ SET NOT NULL$/, 'fails if a row has no value'],
  [/^ALTER TABLE \S+ ADD "(?!.* (?:DEFAULT|GENERATED) ).* NOT NULL/, 'fails on a table with rows'],
];

/** Thrown if a migration needs a decision. `problems` has a line for each reason. */
export class MigrationProblem extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'MigrationProblem';
  }
}

/**
 * Returns the statements that make a migrated database match the declarations of entities and lists. Runs them on the
 * database, so use a temporary one.
 *
 * @param isDraft whether to accept statements that lose values or fail on tables with rows
 * @throws MigrationProblem
 */
export async function findChanges(
  dataSource: DataSource,
  lists: readonly ListDefinition[],
  isDraft = false,
): Promise<Statements> {
  const parts: Statements[] = [];
  // Resources with `rows` need further indexes and totals.
  const scoped = lists.map(scopedList);
  for (const find of [
    findTypeOrmChanges,
    changedSearches,
    changedDefinitions,
    missingFilterIndexes,
    missingTotals,
    missingVersionTriggers,
  ]) {
    const part = await find(dataSource, scoped);
    const problems = part.up.flatMap((statement) =>
      RISKS.filter(([form]) => form.test(statement)).map(([, risk]) => `${statement}: ${risk}`),
    );
    if (problems.length > 0 && !isDraft) throw new MigrationProblem(problems);
    for (const statement of part.up) await dataSource.query(statement);
    parts.push(part);
  }
  return concatStatements(parts);
}

/**
 * Columns that tables have, but entities do not. With only one such column, TypeORM would rename it to a new column of
 * the entity. To prevent this, `findTypeOrmChanges` adds two more columns during the comparison.
 */
const UNKNOWN_COLUMNS = [SEARCH_COLUMN, 'search_1', 'search_2'];

/**
 * Returns the changes that TypeORM finds, except changes of search columns. Does not drop indexes that no entity names,
 * because lists and hand-written migrations create such indexes.
 */
async function findTypeOrmChanges(
  dataSource: DataSource,
  lists: readonly ListDefinition[],
): Promise<Statements> {
  const entities = new Set(lists.filter(({ search }) => search).map(({ entity }) => entity));
  const searched = [...entities].map((entity) => dataSource.getMetadata(entity).tableName);
  const alter = (actions: string): Promise<unknown> =>
    Promise.all(searched.map((table) => dataSource.query(`alter table if exists "${table}" ${actions}`)));
  await alter('add search_1 int, add search_2 int');
  const { upQueries, downQueries } = await dataSource.driver.createSchemaBuilder().log();
  await alter('drop search_1, drop search_2');
  const declared = new Set(
    dataSource.entityMetadatas.flatMap(({ indices }) => indices.map(({ name }) => name)),
  );
  const isOfEntity = (statement: string): boolean => {
    const [, name] = /^(?:DROP INDEX "public"\.|CREATE (?:UNIQUE )?INDEX )"([^"]+)"/.exec(statement) ?? [];
    const [, table = '', column] =
      /^ALTER TABLE "([^"]+)" (?:DROP COLUMN|ADD) "([^"]+)"/.exec(statement) ?? [];
    if (UNKNOWN_COLUMNS.includes(column ?? '') && searched.includes(table)) return false;
    if (statement.includes('"typeorm_metadata"')) return false;
    return name === undefined || declared.has(name);
  };
  const textsOf = (queries: typeof upQueries): string[] =>
    queries.map(({ query }) => query.trim()).filter(isOfEntity);
  return removeNoOps(dataSource, { up: textsOf(upQueries), down: textsOf(downQueries).toReversed() });
}
