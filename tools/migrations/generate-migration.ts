import 'reflect-metadata';

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { formatted, writeFiles } from '../project-files.js';
import { changesOf, MigrationProblem } from './changes.js';
import { migrationFiles } from './migration-files.js';
import { declarationsIn, withScratchDatabase } from './scratch.js';
import { unfollowedTables } from './triggers.js';

const USAGE = `npm run migration:generate -- <name> [--draft]

Writes a migration to src/migrations/ that brings the tables to what the entities and the lists declare, and
adds it to migrations.ts. It compares with a database of its own that has every migration; yours is not touched.
The name is made of words: add-suppliers. With --draft the migration is written even if it loses values or fails
on tables with rows, to be corrected by hand.
`;

/** The root of the project, from `dist/tools/migrations/`. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** The compiled sources, and those of the base. */
const COMPILED = [
  new URL('../../src', import.meta.url),
  new URL('.', import.meta.resolve('@plinth/core')),
].map((url) => fileURLToPath(url));

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function main(name: string, isDraft: boolean): Promise<void> {
  const { entities, lists } = await declarationsIn(...COMPILED);
  const { statements, unfollowed } = await withScratchDatabase(entities, async (dataSource) => ({
    statements: await changesOf(dataSource, lists, isDraft),
    unfollowed: await unfollowedTables(dataSource),
  }));
  for (const { table, parent } of unfollowed)
    say(`A trigger on ${table} must give ${parent} new versions, see docs/adding-a-computed-field.md.`);
  if (statements.up.length === 0)
    return void say('The migrations make what the code declares: nothing to do.');
  const files = await formatted(ROOT, migrationFiles(ROOT, name, statements, Date.now()));
  writeFiles(ROOT, files);
  for (const { path } of files) say(path);
  say(
    '\nThe last release serves while a migration runs: see docs/migrations.md, "While two releases serve".',
  );
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { draft: { type: 'boolean', default: false } },
  });
  const [name = ''] = positionals;
  if (positionals.length === 1 && /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
    await main(name, values.draft);
  else {
    process.stderr.write(USAGE);
    process.exitCode = 2;
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (error instanceof MigrationProblem)
    process.stderr.write(
      '\nNothing was written; with --draft it is, to be corrected: see docs/migrations.md.\n',
    );
  process.exitCode = 1;
}
