import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ListDefinition, dataSourceOptions, migrate } from '@plinth/core/dev';
import { DataSource } from 'typeorm';

import { openEmbeddedDatabase, removeEmbeddedDatabase } from '../embedded-postgres/embedded-database.js';

export type EntityClass = new () => object;

/** The declarations of the code about the database. */
export interface Declarations {
  readonly entities: readonly EntityClass[];
  readonly lists: readonly ListDefinition[];
}

const ENTITIES = /\.entity\.[jt]s$/;
const LISTS = /\.(?:resource|lists?)\.[jt]s$/;

/** The entities and lists of all files of some folders: sources, or what they are compiled to. */
export async function declarationsIn(...folders: string[]): Promise<Declarations> {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  const load = (pattern: RegExp): Promise<object[]> =>
    Promise.all(files.filter((file) => pattern.test(file)).map((file) => import(file) as Promise<object>));
  const classes = (await load(ENTITIES)).flatMap((module) => Object.values(module) as unknown[]);
  return {
    entities: classes.filter((value): value is EntityClass => typeof value === 'function'),
    lists: listsIn(await load(LISTS)),
  };
}

/** The lists that the modules of some files export, alone or as part of a resource. */
function listsIn(modules: readonly object[]): ListDefinition[] {
  const values = modules.flatMap((module) => Object.values(module) as unknown[]);
  const isList = (value: unknown): value is ListDefinition =>
    typeof value === 'object' && value !== null && 'sorts' in value && 'defaultSort' in value;
  const found = values.flatMap((value) =>
    typeof value === 'object' && value !== null && 'list' in value ? [value, value.list] : [value],
  );
  return [...new Set(found.filter(isList))];
}

/** Runs some work on a database of its own that has the migrations of the base and of the project, and removes it. */
export const withScratchDatabase = <Result>(
  entities: readonly EntityClass[],
  migrations: Parameters<typeof migrate>[1],
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> =>
  withEmptyDatabase(async (url) => {
    const options = dataSourceOptions(url, { poolSize: 2, statementTimeoutMs: 60_000 });
    const dataSource = await new DataSource({ ...options, entities: [...entities] }).initialize();
    try {
      await migrate(dataSource, migrations);
      return await work(dataSource);
    } finally {
      await dataSource.destroy();
    }
  });

/** Runs some work on a database of its own, without tables, and removes it. */
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
