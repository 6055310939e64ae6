import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ListDefinition, migrate } from '@plinth/core/dev';
import { DataSource, EntitySchema, getMetadataArgsStorage } from 'typeorm';

import { openEmbeddedDatabase, removeEmbeddedDatabase } from '../embedded-postgres/embedded-database.js';
import { SourceFile, sourceFiles } from '../source-files.js';
import { withDataSource } from './data-source.js';

export type EntityClass = new () => object;
export type Entity = EntityClass | EntitySchema;

/** The declarations in the code that determine the schema of the database. */
export interface Declarations {
  readonly entities: readonly Entity[];
  readonly lists: readonly ListDefinition[];
}

const CODE = /(?<!\.d|[.-]test|[.-]spec)\.[jt]s$/;
const NAMED = /\.(?:entity|resource|lists?)\.[jt]s$/;
/** Matches the text of a file that may declare entities or lists, in sources and in compiled files. */
const DECLARES = /\b(?:(?:Child|View)?Entity|EntitySchema(?:<[^(]*>)?|defineList)\(/;

/** Returns the entities and lists that the files in some folders export. The files are sources or compiled. */
export async function declarationsIn(...folders: string[]): Promise<Declarations> {
  const files = declaringFiles(folders).map(({ path }) => import(path) as Promise<object>);
  const values = (await Promise.all(files)).flatMap((module) => Object.values(module) as unknown[]);
  const classes: unknown[] = loadedEntities();
  const isEntity = (value: unknown): value is Entity =>
    classes.includes(value) || value instanceof EntitySchema;
  return { entities: [...new Set(values.filter(isEntity))], lists: listsIn(values) };
}

/** Returns the files in some folders whose name or text says that they declare entities or lists. */
export const declaringFiles = (folders: readonly string[]): SourceFile[] =>
  sourceFiles(folders, CODE).filter(({ name, text }) => NAMED.test(name) || DECLARES.test(text));

/** Returns the classes with `@Entity()` in all files that the process has loaded, even if they are not exported. */
export const loadedEntities = (): EntityClass[] =>
  getMetadataArgsStorage().tables.map(({ target }) => target as EntityClass);

/** Returns the lists among exported values. Also returns the lists of the resource definitions among these values. */
function listsIn(values: readonly unknown[]): ListDefinition[] {
  const isList = (value: unknown): value is ListDefinition =>
    typeof value === 'object' && value !== null && 'sorts' in value && 'defaultSort' in value;
  const found = values.flatMap((value) =>
    typeof value === 'object' && value !== null && 'list' in value ? [value, value.list] : [value],
  );
  return [...new Set(found.filter(isList))];
}

/** Passes a temporary database with the migrations of the base and of the project to `work`. */
export const withScratchDatabase = <Result>(
  entities: readonly Entity[],
  migrations: Parameters<typeof migrate>[1],
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> =>
  withEmptyDatabase((url) =>
    withDataSource(url, { entities: [...entities] }, async (dataSource) => {
      await migrate(dataSource, migrations);
      return work(dataSource);
    }),
  );

/** Passes the URL of a temporary database without tables to `work`. */
export async function withEmptyDatabase<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'scratch-'));
  const database = await openEmbeddedDatabase({ directory, durable: false, log: () => undefined });
  try {
    return await work(database.url);
  } finally {
    await database.stop();
    await removeEmbeddedDatabase(directory);
  }
}
