import 'reflect-metadata';

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { formatted, writeFiles } from '../project-files.js';
import { plannedFiles } from './files.js';
import { readResourceSpec } from './resource-spec.js';
import { parentOf, servedVersions } from './surroundings.js';

/** The root of the project, from `dist/tools/generate/`. */
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** `npm run generate`. @throws Error where what is asked for cannot be made */
async function main(): Promise<void> {
  const spec = readResourceSpec(process.argv.slice(2), servedVersions(ROOT));
  const { plural, singular } = spec.names;
  const files = await formatted(ROOT, plannedFiles(ROOT, spec, parentOf(ROOT, spec)));
  say(`One of the ${plural} is called ${singular}; --singular takes another name.`);
  process.exitCode = 1;
  const undo = remembered([
    ...files.map(({ path }) => path),
    'src/migrations/migrations.ts',
    'docs/api-surface.txt',
  ]);
  try {
    writeFiles(ROOT, files);
    step('compiling', ['scripts/build.mjs']);
    step('writing the migration', ['scripts/migration-generate.mjs', `create-${plural}`]);
    step('writing docs/api-surface.txt', ['scripts/openapi.mjs']);
  } catch (error) {
    undo();
    rmSync(join(ROOT, 'src', plural), { recursive: true, force: true });
    throw error;
  }
  process.exitCode = 0;
  say(
    `\nThe module is in src/${plural}/, its tests are in test/e2e/${plural}.test.ts. ` +
      '`npm run client` writes its part of the TypeScript client.',
  );
}

/** Remembers files as they are, and which migrations there are. @returns what brings all of them back */
function remembered(paths: readonly string[]): () => void {
  const migrations = (): string[] =>
    readdirSync(join(ROOT, 'src/migrations')).map((file) => `src/migrations/${file}`);
  const before = new Map(
    [...paths, ...migrations()].map((path) => {
      const file = join(ROOT, path);
      return [path, existsSync(file) ? readFileSync(file, 'utf8') : undefined];
    }),
  );
  return () => {
    for (const path of [...before.keys(), ...migrations()]) {
      const text = before.get(path);
      if (text === undefined) rmSync(join(ROOT, path), { force: true });
      else writeFiles(ROOT, [{ path, text }]);
    }
  };
}

function step(what: string, args: readonly string[]): void {
  say(`${what}…`);
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${what} failed:\n${stdout}${stderr}`);
}

try {
  process.exitCode = 2;
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\nNothing was written.\n`);
}
