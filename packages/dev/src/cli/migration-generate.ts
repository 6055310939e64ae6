import { definedLists } from '@plinth/core/dev';

import { formatted, writeFiles } from '../project-files.js';
import { findChanges, MigrationProblem } from '../migrations/changes.js';
import { migrationFiles } from '../migrations/migration-files.js';
import {
  Declarations,
  declarationsIn,
  declaringFiles,
  loadedEntities,
  withScratchDatabase,
} from '../migrations/scratch.js';
import { unfollowedTables } from '../migrations/triggers.js';
import { Command, readArguments, say } from './command.js';
import { buildProject, compiledFolders, loadAppModule, loadMigrations } from './project.js';

const USAGE = `plinth migration:generate <name> [--draft] [--no-build]

Writes a migration to src/migrations/ that brings the tables to what the entities and the lists declare, and adds it
to migrations.ts. It compares with a database of its own that has every migration; yours is not touched.

  plinth migration:generate add-suppliers

  --draft      writes it even if it loses values or fails on tables with rows, to be corrected by hand
  --no-build   takes dist/ as it is`;

async function run(root: string, args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    draft: { type: 'boolean' },
    'no-build': { type: 'boolean' },
  });
  const [name = ''] = positionals;
  if (positionals.length !== 1 || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
    throw new Error('plinth migration:generate takes one name, of words joined by -, such as add-suppliers.');
  buildProject(root, values);
  const { entities, lists } = await declarationsOf(root);
  const { statements, unfollowed } = await withScratchDatabase(
    entities,
    await loadMigrations(root),
    async (dataSource) => ({
      statements: await findChanges(dataSource, lists, values.draft),
      unfollowed: await unfollowedTables(dataSource),
    }),
  );
  for (const { table, parent } of unfollowed)
    say(
      `A trigger on ${table} must give ${parent} new versions, see @plinth/core/docs/adding-a-field.md#computed-by-sql.`,
    );
  if (statements.up.length === 0) return void say('Nothing to do: the migrations make what is declared.');
  const files = await formatted(root, migrationFiles(root, name, statements, Date.now()));
  writeFiles(root, files);
  for (const { path } of files) say(path);
  say(
    '\nThe last release serves while a migration runs: see @plinth/core/docs/migrations.md, "While two releases serve".',
  );
}

/**
 * The declarations of the project and of the base: those that files export, and those that other files of the project
 * have, once they are loaded. Entities of packages are left out, which the command says.
 */
async function declarationsOf(root: string): Promise<Declarations> {
  const folders = compiledFolders(root);
  const { entities, lists } = await declarationsIn(...folders);
  await loadAppModule(root);
  const texts = declaringFiles(folders).map(({ text }) => text);
  const others = loadedEntities().filter((entity) => !entities.includes(entity));
  const own = others.filter(({ name }) => texts.some((text) => new RegExp(`\\bclass ${name}\\b`).test(text)));
  for (const { name } of others.filter((entity) => !own.includes(entity)))
    say(`Left out: the entity ${name}, which no file of src declares. Export it from one named *.entity.ts.`);
  return { entities: [...entities, ...own], lists: [...new Set([...lists, ...definedLists])] };
}

export const command: Command = {
  usage: () => USAGE,
  run: (root, args) =>
    run(root, args).catch((error: unknown) => {
      if (!(error instanceof MigrationProblem)) throw error;
      const advice =
        'Nothing was written. Pass --draft to write it anyway, then correct it: @plinth/core/docs/migrations.md.';
      throw new Error(`${error.message}\n\n${advice}`, { cause: error });
    }),
};
