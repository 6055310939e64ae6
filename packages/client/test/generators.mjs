import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { inRoot } from '../../../scripts/lib/paths.mjs';
import { run, runNode } from '../../../scripts/lib/run.mjs';
import { ADMIN } from '../../../scripts/lib/own-service.mjs';
import { createClient } from '../../../client/dist/esm/index.js';
import { equal } from './assert.mjs';

/** The latest versions that run on Node.js 20, and the packages that their output imports. */
const PACKAGES =
  '@hey-api/openapi-ts@0.95.0 orval@7.13.2 typescript@6.0.3 zod@4.6.7 @tanstack/react-query@5.108.0 react@19.3.1 @types/react@19.3.0 ' +
  'openapi-typescript@7.13.0 openapi-fetch@0.17.0';
/** The date of the newest dependency. Used instead of a lock file. */
const NEWEST = '--before=2026-11-20';
/** `--force`, because openapi-typescript declares an older TypeScript as its peer, but works with this one. */
const INSTALL = [
  'install',
  '--force',
  '--no-package-lock',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--silent',
];

const PLUGINS = ['@hey-api/client-fetch', '@hey-api/transformers', 'zod', '@tanstack/react-query'];
const GENERATORS = [
  ['openapi-ts', '-i', './openapi.json', '-o', './hey-api', '--silent', '--no-log-file', '-p', ...PLUGINS],
  ['orval', '--input', 'openapi.json', '--output', 'orval/api.ts', '--client', 'fetch'],
  ['orval', '--input', 'openapi.json', '--output', 'orval/zod.ts', '--client', 'zod'],
  ['openapi-typescript', 'openapi.json', '--output', 'openapi-fetch/schema.d.ts'],
];

/** Files of test/types that use the generated code, and the names that they get in its folder. */
const USES = { generated: 'use', 'hey-api-auth': 'hey-api-auth', 'openapi-fetch': 'openapi-names' };

/** Generates clients from the document with third-party generators, compiles them and runs their schemas. */
export async function checkGenerators(folder, { origin }, compile) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${origin}/docs/openapi.json`)).text());
  await runIn(folder, 'npm', [...INSTALL, NEWEST, ...PACKAGES.split(' ')]);
  for (const [name, ...args] of GENERATORS)
    await runIn(folder, join(folder, 'node_modules/.bin', name), args);
  const bigints = ['hey-api', 'orval'].flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true })
      // Leaves out the runtime of hey-api, which handles all types.
      .filter((file) => /\.ts$/.test(file) && !/^(core|client)\//.test(file))
      .filter((file) => /bigint/i.test(readFileSync(join(folder, name, file), 'utf8'))),
  );
  for (const [name, copy] of Object.entries(USES))
    copyFileSync(inRoot(`packages/client/test/types/${name}.ts`), join(folder, `${copy}.ts`));
  // The runtimes of these generators do not support exact optional properties.
  const options =
    '--module esnext --moduleResolution bundler --skipLibCheck --exactOptionalPropertyTypes false';
  const files = Object.values(USES).map((name) => `${name}.ts`);
  const complaints = await compile(folder, [...files, ...options.split(' ')]);
  const program = { entryPoints: [join(folder, 'use.ts')], outfile: join(folder, 'use.mjs') };
  await build({ ...program, bundle: true, format: 'esm' });
  const { output } = await runNode(['use.mjs'], { quiet: true, cwd: folder });
  equal(bigints, [], 'the files with a bigint');
  equal(output.trim().split('\n'), Array(2).fill('{"items":[{"productId":42,"quantity":2}]}'));
  return [
    await reads(folder, origin, 'hey-api-auth', `readWith(origin, token)`, ['admin', true]),
    await reads(folder, origin, 'openapi-names', `names(origin, token).then(Array.isArray)`, true),
    {
      name: 'clients of hey-api, orval and zod compile, and their schemas produce JSON',
      failure: complaints,
    },
  ];
}

/** Checks that a generated client reads the expected data with a token. */
async function reads(folder, origin, file, call, expected) {
  const { data } = await createClient({ baseUrl: origin }).request('POST', '/api/v1/login', { body: ADMIN });
  const contents = `import * as use from './${file}';
    const { readWith, names } = use;
    const [origin, token] = process.argv.slice(2);
    console.log(JSON.stringify(await ${call}));`;
  const outfile = join(folder, `${file}.mjs`);
  await build({
    stdin: { contents, resolveDir: folder },
    outfile,
    bundle: true,
    format: 'esm',
    logLevel: 'error',
  });
  const { output } = await runNode([outfile, origin, data.accessToken], { quiet: true, cwd: folder });
  const name = `${file}: a client with its default settings reads with a token`;
  return { name, failure: output.trim() === JSON.stringify(expected) ? undefined : output };
}

/** @throws Error with the output of a program that fails */
async function runIn(cwd, program, args) {
  const { code, output } = await run(program, args, { quiet: true, cwd });
  if (code !== 0) throw new Error(`${program}: ${output}`);
}
