import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { inRoot } from '../../../scripts/lib/paths.mjs';
import { run, runNode } from '../../../scripts/lib/run.mjs';
import { equal } from './assert.mjs';

/** The last ones that run on Node.js 20, and what their output imports. */
const PACKAGES =
  '@hey-api/openapi-ts@0.95.0 orval@7.13.2 typescript@6.0.3 zod@4.6.7 @tanstack/react-query@5.108.0 react@19.3.1 @types/react@19.3.0';
/** In place of a lock file: no dependency of theirs is newer. */
const NEWEST = '--before=2026-11-20';
const INSTALL = ['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];

const PLUGINS = ['@hey-api/client-fetch', '@hey-api/transformers', 'zod', '@tanstack/react-query'];
const GENERATORS = [
  ['openapi-ts', '-i', './openapi.json', '-o', './hey-api', '--silent', '--no-log-file', '-p', ...PLUGINS],
  ['orval', '--input', 'openapi.json', '--output', 'orval/api.ts', '--client', 'fetch'],
  ['orval', '--input', 'openapi.json', '--output', 'orval/zod.ts', '--client', 'zod'],
];

/** Lets the generators of others make clients of the document, compiles them and runs their schemas. */
export async function checkGenerators(folder, { origin }, compile) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${origin}/docs/openapi.json`)).text());
  await runIn(folder, 'npm', [...INSTALL, NEWEST, ...PACKAGES.split(' ')]);
  for (const [name, ...args] of GENERATORS)
    await runIn(folder, join(folder, 'node_modules/.bin', name), args);
  const bigints = ['hey-api', 'orval'].flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true })
      // Not hey-api's own runtime, which knows all types.
      .filter((file) => /\.ts$/.test(file) && !/^(core|client)\//.test(file))
      .filter((file) => /bigint/i.test(readFileSync(join(folder, name, file), 'utf8'))),
  );
  copyFileSync(inRoot('packages/client/test/types/generated.ts'), join(folder, 'use.ts'));
  // Their own runtimes are not written for exact optional properties.
  const options =
    '--module esnext --moduleResolution bundler --skipLibCheck --exactOptionalPropertyTypes false';
  const complaints = await compile(folder, ['use.ts', ...options.split(' ')]);
  const program = { entryPoints: [join(folder, 'use.ts')], outfile: join(folder, 'use.mjs') };
  await build({ ...program, bundle: true, format: 'esm' });
  const { output } = await runNode(['use.mjs'], { quiet: true, cwd: folder });
  equal(bigints, [], 'the files with a bigint');
  equal(output.trim().split('\n'), Array(2).fill('{"items":[{"productId":42,"quantity":2}]}'));
  return [
    { name: 'clients of hey-api, orval and zod compile, and their schemas give JSON', failure: complaints },
  ];
}

/** @throws Error with what a program says that fails */
async function runIn(cwd, program, args) {
  const { code, output } = await run(program, args, { quiet: true, cwd });
  if (code !== 0) throw new Error(`${program}: ${output}`);
}
