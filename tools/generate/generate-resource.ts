import 'reflect-metadata';

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { VERSIONS } from '../../src/core/http/negotiation/versions.js';
import { formatted, ProjectFile, writeFiles } from '../project-files.js';
import { UsageError } from '../usage-error.js';
import { moduleFiles } from './module-templates.js';
import { surroundingsOf } from './project.js';
import { registrations } from './registrations.js';
import { readResourceSpec, ResourceSpec, USAGE } from './resource-spec.js';
import { testFile } from './test-template.js';

/** The root of the project, from `dist/tools/generate/`. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The files that the later steps write. */
const DERIVED = ['src/migrations/migrations.ts', 'docs/api-surface.txt'];

/** `npm run generate`: see `USAGE`. */
async function main(): Promise<void> {
  const spec = readResourceSpec(process.argv.slice(2), VERSIONS.map(String));
  if (!spec) {
    say(USAGE);
    return;
  }
  const files = await plannedFiles(spec);
  const { plural, word } = spec.names;
  say(`One of the ${plural} is called ${word}; --singular takes another name.`);
  if (spec.isDryRun) {
    for (const { path, text } of files.filter(isNew)) say(`--- ${path}\n${text}`);
    say(
      `and changes ${files
        .filter((file) => !isNew(file))
        .map(({ path }) => path)
        .join(', ')}`,
    );
    say(`and writes a migration, create-${spec.names.plural}, and ${DERIVED.slice(1).join(', ')}.`);
    return;
  }
  const undo = remembered([...files.map(({ path }) => path), ...DERIVED]);
  try {
    writeFiles(ROOT, files);
    step('compiling', ['scripts/build.mjs']);
    step('writing the migration', ['scripts/migration-generate.mjs', `create-${spec.names.plural}`]);
    if (spec.isDocumented) step('writing docs/api-surface.txt', ['scripts/openapi.mjs']);
  } catch (error) {
    undo(spec);
    throw error;
  }
  say(
    `\nThe module is in src/${spec.names.plural}/, its tests are in test/e2e/${spec.names.plural}.test.ts. ` +
      '`npm run client` writes its part of the TypeScript client.',
  );
}

/** @throws UsageError where something of that name is there */
function plannedFiles(spec: ResourceSpec): Promise<ProjectFile[]> {
  const faults: string[] = [];
  const surroundings = surroundingsOf(ROOT, spec, faults);
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  const plan = { spec, surroundings };
  return formatted(ROOT, [...moduleFiles(plan), testFile(ROOT, plan), ...registrations(ROOT, plan)]);
}

const isNew = ({ path }: ProjectFile): boolean => textOf(path) === undefined;

function textOf(path: string): string | undefined {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return undefined;
  }
}

/** Remembers files as they are. @returns what brings all of them back, and removes those that were not there */
function remembered(paths: readonly string[]): (spec: ResourceSpec) => void {
  const before = paths.map((path) => ({ path, text: textOf(path) }));
  const list = textOf(DERIVED[0] as string) ?? '';
  return ({ names }) => {
    const migration = new RegExp(`'\\./(\\d{13}-create-${names.plural})\\.js'`).exec(
      textOf(DERIVED[0] as string) ?? '',
    );
    if (migration && !list.includes(migration[0]))
      rmSync(join(ROOT, `src/migrations/${migration[1] ?? ''}.ts`), { force: true });
    writeFiles(
      ROOT,
      before.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }])),
    );
    for (const { path, text } of before) if (text === undefined) rmSync(join(ROOT, path), { force: true });
    rmSync(join(ROOT, `src/${names.plural}`), { recursive: true, force: true });
  };
}

function step(what: string, args: readonly string[]): void {
  say(`${what}…`);
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${what} failed:\n${stdout}${stderr}`);
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\nNothing was written.\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
