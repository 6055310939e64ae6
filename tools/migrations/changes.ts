import { DataSource } from 'typeorm';

import { expressionIndexesOf } from '../../src/core/database/expression-index.js';
import { ListDefinition } from '../../src/core/lists/list-definition.js';
import { columnChanges, renamesAndDrops } from './decided-changes.js';
import { changedConditions, expressionIndexes } from './declared-conditions.js';
import { formatDefinition } from './format-sql.js';
import { missingIndexes, namesOfListIndexes } from './list-indexes.js';
import { missingTotals } from './list-totals.js';
import { Decisions, NO_DECISIONS } from './options.js';
import { missingParentVersions } from './parent-versions.js';
import { missingParts, SchemaPart, schemaOf } from './schema.js';
import { condensed, inSequence, Statements, statementsOf } from './statements.js';
import { missingVersionTriggers } from './version-triggers.js';

/** The declared schema cannot be reached without a decision, or at all. `problems` has one line for each reason. */
export class MigrationProblem extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'MigrationProblem';
  }
}

/**
 * The statements that bring a migrated database to what entities and lists declare. They are run on it to try them, up
 * and down again, so it is a database to be thrown away.
 *
 * @throws MigrationProblem where values would be lost, or the statements do not lead there and back
 */
export async function changesOf(
  dataSource: DataSource,
  lists: readonly ListDefinition[],
  decisions: Decisions = NO_DECISIONS,
): Promise<Statements> {
  const before = await schemaOf(dataSource);
  const parts: Statements[] = [];
  const apply = async (statements: Statements): Promise<void> => {
    for (const statement of statements.up) await run(dataSource, statement);
    parts.push(statements);
  };
  await apply(await renamesAndDrops(dataSource, decisions));
  const problems: string[] = [];
  const columns = await columnChanges(dataSource, decisions, problems);
  if (problems.length > 0) throw new MigrationProblem(problems);
  await apply(columns);
  await apply(await changedConditions(dataSource));
  await apply(await bySchemaBuilder(dataSource, lists));
  await apply(await expressionIndexes(dataSource));
  await apply(await missingIndexes(dataSource, lists));
  await apply(await missingTotals(dataSource, lists));
  await apply(await missingVersionTriggers(dataSource));
  await apply(await missingParentVersions(dataSource));
  assertIndexesAreThere(dataSource, await schemaOf(dataSource));
  const left = await bySchemaBuilder(dataSource, lists);
  if (left.up.length > 0)
    throw new MigrationProblem(left.up.map((statement) => `cannot be reached: ${statement}`));
  const statements = condensed(inSequence(parts));
  return { up: statements.up, down: await wayBack(dataSource, statements, before) };
}

/** The changes that TypeORM finds, without those of the indexes of lists, which entities do not name. */
async function bySchemaBuilder(
  dataSource: DataSource,
  lists: readonly ListDefinition[],
): Promise<Statements> {
  const names = await namesOfListIndexes(dataSource, lists);
  const isOfList = (statement: string): boolean => {
    const [, name = ''] = /^(?:drop|create) index (\S+)/.exec(statement) ?? [];
    return names.has(name);
  };
  const { up, down } = statementsOf(await dataSource.driver.createSchemaBuilder().log());
  const dropped = up.filter((statement) => statement.startsWith('drop index') && isOfList(statement));
  const kept = new Set(dropped.map((statement) => statement.replace('drop', 'create')));
  return {
    up: up.filter((statement) => !dropped.includes(statement)),
    down: down.filter((statement) => ![...kept].some((create) => statement.startsWith(`${create} `))),
  };
}

async function run(dataSource: DataSource, statement: string): Promise<void> {
  try {
    await dataSource.query(statement);
  } catch (error) {
    throw new MigrationProblem([`${(error as Error).message}: ${statement}`]);
  }
}

/** Indexes of which an entity gives nothing but the name. */
function assertIndexesAreThere(dataSource: DataSource, schema: readonly SchemaPart[]): void {
  const names = new Set(schema.filter(({ kind }) => kind === 'index').map(({ name }) => name));
  const problems = dataSource.entityMetadatas.flatMap(({ indices, target, name: entity }) =>
    indices
      .filter(({ synchronize, name }) => !synchronize && !names.has(name))
      .filter(({ name }) => !expressionIndexesOf(target as object).some((index) => index.name === name))
      .map(({ name }) => `${entity} names the index ${name}, which nothing makes: see @ExpressionIndex()`),
  );
  if (problems.length > 0) throw new MigrationProblem(problems);
}

/** The way back and forth again, tried. @returns the way back, with the indexes that a dropped column took along */
async function wayBack(
  dataSource: DataSource,
  { up, down }: Statements,
  before: readonly SchemaPart[],
): Promise<string[]> {
  const target = await schemaOf(dataSource);
  for (const statement of down) await run(dataSource, statement);
  const lost = missingParts(before, await schemaOf(dataSource)).filter(({ kind }) => kind === 'index');
  const indexes = lost.map(({ definition }) => formatDefinition(definition));
  for (const statement of indexes) await run(dataSource, statement);
  assertSame(before, await schemaOf(dataSource), 'the way back does not restore');
  for (const statement of up) await run(dataSource, statement);
  assertSame(target, await schemaOf(dataSource), 'the second time does not make');
  return [...down, ...indexes];
}

function assertSame(wanted: readonly SchemaPart[], there: readonly SchemaPart[], what: string): void {
  const wrong = [...missingParts(wanted, there), ...missingParts(there, wanted)];
  const names = new Set(wrong.map(({ kind, name }) => `${kind} ${name}`));
  if (names.size > 0)
    throw new MigrationProblem([...names].map((name) => `${what} ${name}: write that migration by hand`));
}
