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

Writes a migration to src/migrations/ that changes the tables to match the declarations of entities and lists, and adds
it to migrations.ts. It compares them with a temporary database that has every migration; yours is not touched.

  plinth migration:generate add-suppliers

  --draft      writes it even if it would lose values or fail on tables with rows; then correct it by hand
  --no-build   uses dist/ as it is`;

async function run(root: string, args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    draft: { type: 'boolean' },
    'no-build': { type: 'boolean' },
  });
  const [name = ''] = positionals;
  if (positionals.length !== 1 || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
    throw new Error('plinth migration:generate needs one name, of words joined by -, such as add-suppliers.');
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
      `Add a trigger on ${table} that gives ${parent} new versions: see @plinth/core/docs/adding-a-field.md#computed-by-sql.`,
    );
  if (statements.up.length === 0) return void say('Nothing to do: the tables match the declarations.');
  const files = await formatted(root, migrationFiles(root, name, statements, Date.now()));
  writeFiles(root, files);
  for (const { path } of files) say(path);
  say(
    '\nThe previous release still serves while the migration runs: see @plinth/core/docs/migrations.md, "While two releases serve".',
  );
}

/**
 * Returns the declarations of the project and of the base. Includes entities that the files of the project do not
 * export, if the application loads them. Leaves out entities of other packages, and prints a line for each of these.
 */
async function declarationsOf(root: string): Promise<Declarations> {
  const folders = compiledFolders(root);
  const { entities, lists } = await declarationsIn(...folders);
  await loadAppModule(root);
  const texts = declaringFiles(folders).map(({ text }) => text);
  const others = loadedEntities().filter((entity) => !entities.includes(entity));
  const own = others.filter(({ name }) => texts.some((text) => new RegExp(`\\bclass ${name}\\b`).test(text)));
  for (const { name } of others.filter((entity) => !own.includes(entity)))
    say(
      `Ignored the entity ${name}, because no file of src/ declares it. Export it from a file named *.entity.ts.`,
    );
  return { entities: [...entities, ...own], lists: [...new Set([...lists, ...definedLists])] };
}

export const command: Command = {
  usage: () => USAGE,
  run: (root, args) =>
    run(root, args).catch((error: unknown) => {
      if (!(error instanceof MigrationProblem)) throw error;
      const advice =
        'Nothing was written. To write it anyway and correct it by hand, pass --draft: see @plinth/core/docs/migrations.md.';
      throw new Error(`${error.message}\n\n${advice}`, { cause: error });
    }),
};
