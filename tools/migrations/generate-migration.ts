import 'reflect-metadata';

import { fileURLToPath } from 'node:url';

import { formatted, writeFiles } from '../project-files.js';
import { UsageError } from '../usage-error.js';
import { changesOf, MigrationProblem } from './changes.js';
import { migrationFiles } from './migration-file.js';
import { migrationParts } from './migration-parts.js';
import { readMigrationOptions, USAGE } from './options.js';
import { unfollowedTables } from './parent-versions.js';
import { COMPILED, declarationsIn, withScratchDatabase } from './scratch.js';

/** The root of the project, from `dist/tools/migrations/`. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** `npm run migration:generate`: see `USAGE`. */
async function main(): Promise<void> {
  const options = readMigrationOptions(process.argv.slice(2));
  if (!options) return void say(USAGE);
  const { entities, lists } = await declarationsIn(COMPILED);
  const { statements, unfollowed } = await withScratchDatabase(entities, async (dataSource) => ({
    statements: await changesOf(dataSource, lists, options.decisions),
    unfollowed: await unfollowedTables(dataSource),
  }));
  for (const { table, parent } of unfollowed)
    say(`A trigger on ${table} must give ${parent} new versions, see docs/adding-a-computed-field.md.`);
  if (statements.up.length === 0)
    return void say('The migrations make what the code declares: nothing to do.');
  const parts = migrationParts(options.name, statements);
  const files = await formatted(ROOT, migrationFiles(ROOT, parts, Date.now()));
  if (options.isDryRun)
    return void say(
      files
        .slice(0, -1)
        .map(({ text }) => text)
        .join('\n'),
    );
  writeFiles(ROOT, files);
  for (const { path } of files) say(path);
  say(
    '\nThe last release still serves while a migration runs: see docs/migrations.md, "While two releases serve".',
  );
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

try {
  await main();
} catch (error) {
  if (error instanceof MigrationProblem) process.stderr.write(`${error.message}\n\nNothing was written.\n`);
  else process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${USAGE}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
