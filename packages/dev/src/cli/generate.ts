import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';

import { plannedFiles } from '../generate/files.js';
import { readResourceSpec, USAGE } from '../generate/resource-spec.js';
import { limitsEveryone } from '../generate/rows.js';
import { declaredAttributes, findParent, servedVersions } from '../generate/surroundings.js';
import { formatted, writeFiles } from '../project-files.js';
import { Command, say } from './command.js';
import { buildProject } from './project.js';

async function run(root: string, args: readonly string[]): Promise<void> {
  const versions = servedVersions(root);
  const attributes = declaredAttributes(root);
  const spec = readResourceSpec(await withReaders(root, args, versions, attributes), versions);
  const { plural, singular } = spec.names;
  const planned = plannedFiles(root, spec, findParent(root, spec), attributes);
  const files = await formatted(root, planned);
  say(`The singular of ${plural} is ${singular}. To use another word, pass --singular.`);
  const others = ['src/migrations/migrations.ts', 'docs/api-surface.txt'];
  const undo = rememberFiles(root, [...files.map(({ path }) => path), ...others]);
  try {
    writeFiles(root, files);
    say('compiling…');
    buildProject(root);
    // Runs commands in child processes, which load the code that was just compiled. The project need not be compiled
    // again for the document, because the document does not depend on migrations.
    say('writing the migration…');
    runPlinth(root, 'migration:generate', `create-${plural}`, '--no-build');
    say('writing docs/api-surface.txt…');
    runPlinth(root, 'openapi', '--no-build');
  } catch (error) {
    undo();
    rmSync(join(root, 'src', plural), { recursive: true, force: true });
    throw new Error(`${(error as Error).message.trimEnd()}\n\nNothing was written.`, { cause: error });
  }
  say(
    `\nThe module is in src/${plural}/, its tests are in test/e2e/${plural}.test.ts. ` +
      'Run `npm run client` to add it to the TypeScript client.',
  );
}

/**
 * Asks on a terminal who may read the rows, unless the arguments say it. Does not ask in a project whose users see only
 * the rows of their attributes. There, everybody may read if `rows` limits everybody, and otherwise only staff.
 */
async function withReaders(
  root: string,
  args: readonly string[],
  versions: readonly string[],
  attributes: readonly string[],
): Promise<readonly string[]> {
  const isAnswered = args.some((arg) => /^--(?:read(?:=|$)|public$)/.test(arg));
  if (isAnswered) return args;
  const spec = readResourceSpec(args, versions);
  if (limitsEveryone(spec, findParent(root, spec), attributes)) return [...args, '--read', 'everyone'];
  if (!process.stdin.isTTY || attributes.length > 0) return args;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const question =
    'Who may read all rows: staff, or everyone, which includes users who register themselves? (staff) ';
  const answer = (await terminal.question(question)).trim();
  terminal.close();
  return [...args, '--read', answer || 'staff'];
}

/** Remembers the contents of files and of the migrations folder. @returns a function that restores them */
function rememberFiles(root: string, paths: readonly string[]): () => void {
  const migrations = (): string[] =>
    readdirSync(join(root, 'src/migrations')).map((file) => `src/migrations/${file}`);
  const before = new Map(
    [...paths, ...migrations()].map((path) => {
      const file = join(root, path);
      return [path, existsSync(file) ? readFileSync(file, 'utf8') : undefined];
    }),
  );
  return () => {
    for (const path of [...before.keys(), ...migrations()]) {
      const text = before.get(path);
      if (text === undefined) rmSync(join(root, path), { force: true });
      else writeFiles(root, [{ path, text }]);
    }
  };
}

/** @throws Error with the output of the command, if it fails */
function runPlinth(root: string, ...args: readonly string[]): void {
  const program = fileURLToPath(new URL('plinth.js', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
}

export const command: Command = { usage: () => USAGE, run };
