/**
 * `npm run generate:check`: generates resources into a copy of the project, and holds them to what the project holds
 * its own code to: they compile, are linted and formatted, their migrations make what they declare, the OpenAPI
 * document describes them, and their end-to-end tests pass.
 */
import './lib/node-version.mjs';
import {
  cpSync,
  existsSync,
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
  'weight:decimal(8,3)? isOpen:boolean seenAt:timestamp? code:uuid! contact:email? site:url?';
const RESOURCES = [
  ['brands', ...FIELDS.split(' '), '--no-documents'],
  // With the documents, which then show the first one as well.
  ['shop-shelves', 'title:text(200)', 'price:money', '--parent', 'products', '--owner', 'user'],
];
/** Requests that the generator refuses without writing anything. */
const REFUSED = [
  ['products', 'name:text(200)'],
  ['orders', 'name:text(200)'],
  ['parts', 'name:text(200)', '--parent', 'wheels'],
  ['news', 'name:text(200)'],
];
/** Tests of the project that a new resource can fail. */
const LAWS = ['errors', 'openapi'].map((name) => `test/architecture/${name}`);
const TYPES = 'tmp/cache/types.json';
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
  symlinkSync(inRoot('node_modules'), join(copy, 'node_modules'), 'dir');
  if (existsSync(inRoot('node_modules/.cache/types.json'))) {
    // As deep as there: the paths in it are relative.
    mkdirSync(join(copy, 'tmp/cache'), { recursive: true });
    cpSync(inRoot('node_modules/.cache/types.json'), join(copy, TYPES));
  }
  await checkRefusals();
  await checkUndoing();
  for (const resource of RESOURCES)
    await check(`generate ${resource[0]}`, '../scripts/generate.mjs', 'resource', ...resource);
  const made = RESOURCES.flatMap(([name]) => [`src/${name}`, `test/e2e/${name}.test.ts`]);
  const tests = made.filter((path) => path.endsWith('.ts'));
  const formatted = [
    ...RESOURCES.map(([name]) => `src/${name}/*.ts`),
    ...tests,
    'src/*.ts',
    'src/migrations/*.ts',
  ];
  await Promise.all([
    check('tests', 'jest/bin/jest.js', ...tests, ...LAWS, '--silent', '-w', '1'),
    inTurn(
      ['types', 'typescript/bin/tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', TYPES],
      ['lint', 'oxlint/bin/oxlint', ...made],
      ['format', 'oxfmt/bin/oxfmt', '--check', ...formatted],
      [
        'import law',
        'dependency-cruiser/bin/dependency-cruise.mjs',
        'src',
        '--config',
        '.dependency-cruiser.cjs',
      ],
    ),
  ]);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = report(results);

async function inTurn(...checks) {
  for (const args of checks) await check(...args);
}

/** Runs a program of node_modules/ in the copy. */
async function check(name, program, ...args) {
  const begin = performance.now();
  const { code, output } = await runInCopy(join('node_modules', program), args);
  if (code !== 0) console.log(output.trimEnd());
  const seconds = (performance.now() - begin) / 1000;
  results.push({ name, passed: Number(code === 0), failed: Number(code !== 0), seconds });
}

/** A refusal says why, ends with 2, and writes nothing. */
async function checkRefusals() {
  const begin = performance.now();
  const before = modules();
  let wrong = 0;
  for (const args of REFUSED) {
    const { code, output } = await runInCopy('scripts/generate.mjs', ['resource', ...args]);
    if (code === 2 && output.includes('Nothing was written.') && modules() === before) continue;
    console.log(`was not refused: ${args.join(' ')}`);
    wrong += 1;
  }
  const seconds = (performance.now() - begin) / 1000;
  results.push({ name: 'refusals', passed: REFUSED.length - wrong, failed: wrong, seconds });
}

/** A failure half-way, here of the migration, leaves everything as it was. */
async function checkUndoing() {
  const begin = performance.now();
  const before = modules();
  const step = join(copy, 'scripts/migration-generate.mjs');
  const text = readFileSync(step, 'utf8');
  writeFileSync(step, 'process.exitCode = 1;\n');
  const { code, output } = await runInCopy('scripts/generate.mjs', ['resource', 'wheels', 'name:text(200)']);
  writeFileSync(step, text);
  const isUndone = code === 1 && output.includes('Nothing was written.') && modules() === before;
  if (!isUndone) console.log(`was not undone: ${output}`);
  const seconds = (performance.now() - begin) / 1000;
  results.push({ name: 'undoing', passed: Number(isUndone), failed: Number(!isUndone), seconds });
}

function modules() {
  const folders = ['src', 'test/e2e', 'src/migrations'].map((name) => readdirSync(join(copy, name)));
  return JSON.stringify([...folders, readFileSync(join(copy, 'src/app.module.ts'), 'utf8')]);
}

function runInCopy(program, args) {
  return runNode([program, ...args], { quiet: true, cwd: copy });
}
