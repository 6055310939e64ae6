/**
 * `npm run generate:check`: generates resources into a copy of the project, and holds them to what the project holds
 * its own code to: they compile, are linted and formatted, their migrations make what they declare, the OpenAPI
 * document describes them, and their end-to-end tests pass.
 */
import './lib/node-version.mjs';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { report } from './lib/checks.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { runNode } from './lib/run.mjs';

const FIELDS =
  'name:text(200)! country:text(100)? founded:date? price:money kind:choice(new|used) rank:integer(1..500) ' +
  'weight:decimal(8,3)? isOpen:boolean seenAt:timestamp? contact:email? site:url?';
const RESOURCES = [
  ['brands', ...FIELDS.split(' ')],
  ['shop-shelves', 'title:text(200)', 'price:money', '--parent', 'products', '--owner', 'user'],
];
/** Tests of the project that a new resource can fail. */
const LAWS = ['errors', 'openapi'].map((name) => `test/architecture/${name}`);
const PLINTH = '@plinth/dev/dist/cli/plinth.js';
const LEFT_OUT = new Set(['.git', 'node_modules', '.data', 'coverage']);

process.chdir(root);
await ensureInstalled();
await ensureBuilt();
const copy = mkdtempSync(join(tmpdir(), 'generate-check-'));
const results = [];
try {
  for (const name of readdirSync(root)) {
    if (!LEFT_OUT.has(name)) cpSync(inRoot(name), join(copy, name), { recursive: true });
  }
  linkPackages();
  await checkUndoing();
  for (const resource of RESOURCES)
    await check(`generate ${resource[0]}`, PLINTH, 'generate', 'resource', ...resource);
  const tests = RESOURCES.map(([name]) => `test/e2e/${name}.test.ts`);
  const made = [...RESOURCES.map(([name]) => `src/${name}`), ...tests];
  await check('types', 'typescript/bin/tsc', '--noEmit', '--incremental', 'false');
  await check('lint', 'oxlint/bin/oxlint', ...made);
  await check('format', 'oxfmt/bin/oxfmt', '--check', ...made, 'src/app.module.ts', 'src/migrations');
  const law = ['src', 'packages/core/src', '--config', '.dependency-cruiser.cjs'];
  await check('import law', 'dependency-cruiser/bin/dependency-cruise.mjs', ...law);
  await check('tests', 'jest/bin/jest.js', ...tests, ...LAWS, '--silent');
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = report(results);

/** The packages of the project, and those that the copy has itself. */
function linkPackages() {
  mkdirSync(join(copy, 'node_modules/@plinth'), { recursive: true });
  for (const name of readdirSync(inRoot('node_modules')).filter((one) => one !== '@plinth'))
    symlinkSync(inRoot('node_modules', name), join(copy, 'node_modules', name));
  for (const name of readdirSync(inRoot('node_modules/@plinth')))
    symlinkSync(`../../packages/${name}`, join(copy, 'node_modules/@plinth', name));
}

/** Runs a program of node_modules/ in the copy. */
async function check(name, program, ...args) {
  const begin = performance.now();
  const { code, output } = await runInCopy(join('node_modules', program), args);
  if (code !== 0) console.log(output.trimEnd());
  count(name, code === 0, begin);
}

/** A failure half-way, here of the migration, leaves everything as it was. */
async function checkUndoing() {
  const begin = performance.now();
  const state = () => [
    ...['src', 'test/e2e', 'src/migrations'].flatMap((name) => readdirSync(join(copy, name))),
    ...['src/app.module.ts', 'docs/errors.md'].map((name) => readFileSync(join(copy, name), 'utf8')),
  ];
  const before = state().join('\n');
  const list = join(copy, 'src/migrations/migrations.ts');
  const text = readFileSync(list, 'utf8');
  writeFileSync(
    list,
    `${text}\nif (process.argv.includes('migration:generate')) throw new Error('no migration');\n`,
  );
  const { code, output } = await runInCopy(join('node_modules', PLINTH), [
    'generate',
    'resource',
    'wheels',
    'name:text(200)',
  ]);
  writeFileSync(list, text);
  const isUndone = code === 1 && output.includes('Nothing was written.') && state().join('\n') === before;
  if (!isUndone) console.log(`was not undone: ${output}`);
  count('undoing', isUndone, begin);
}

function count(name, isRight, begin) {
  const seconds = (performance.now() - begin) / 1000;
  results.push({ name, passed: Number(isRight), failed: Number(!isRight), seconds });
}

function runInCopy(program, args) {
  return runNode([program, ...args], { quiet: true, cwd: copy });
}
