import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot, TSC } from './paths.mjs';
import { run, runNode } from './run.mjs';

const FOLDER = inRoot('clients/third-party');
const OUTPUT = join(FOLDER, 'dist');

/** The generators with their default options, and what is compiled of each. */
const GENERATORS = [
  {
    name: 'openapi-typescript',
    shows: 'G1 G2 the types of openapi-typescript compile, with bodies of required fields alone',
    args: ['dist/openapi.json', '-o', 'dist/schema.d.ts'],
    code: 'openapi-fetch.ts',
  },
  {
    name: 'openapi-ts',
    shows: 'G3 the client of hey-api compiles, with credentials for one scheme',
    args: ['-i', './dist/openapi.json', '-o', './dist/hey-api'],
    code: 'hey-api.ts',
  },
  {
    name: 'orval',
    shows: 'G1 the client of orval compiles',
    args: ['--input', 'dist/openapi.json', '--output', 'dist/orval.ts'],
    code: 'dist/orval.ts',
  },
];

/** Installs the generators, by their own lock file. @throws Error where that fails */
export async function installGenerators() {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  const { code, output } = await run('npm', args, { quiet: true, cwd: FOLDER });
  if (code !== 0) throw new Error(`npm ci in clients/third-party failed:\n${output}`);
}

/** Lets generators of others make clients of a document, and compiles these. Resolves to `[{ name, failure }]`. */
export async function checkGenerators(document) {
  rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(OUTPUT);
  writeFileSync(join(OUTPUT, 'openapi.json'), JSON.stringify(document));
  const results = [];
  for (const { name, shows, args, code } of GENERATORS) {
    const failure = (await generated(name, args)) || (await compiled(code));
    results.push({ name: shows, failure: failure || undefined });
  }
  return results;
}

async function generated(name, args) {
  const { code, output } = await run(join(FOLDER, 'node_modules/.bin', name), args, {
    quiet: true,
    cwd: FOLDER,
  });
  return code === 0 ? '' : output;
}

async function compiled(file) {
  const target = ['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--lib',
    'es2022,dom,dom.iterable',
    ...target,
  ];
  const { code, output } = await runNode([TSC, ...options, file], {
    quiet: true,
    cwd: FOLDER,
  });
  return code === 0 ? '' : output;
}
