import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { secondsSince } from './checks.mjs';
import { clientFiles, outdatedFiles } from './client-files.mjs';
import { openBrowser, startSite } from './client-browser.mjs';
import { ADMIN, startOwnService } from './own-service.mjs';
import { inRoot, TSC } from './paths.mjs';
import { run, runNode } from './run.mjs';
import { runSuites } from '../../clients/typescript/test/suites.mjs';
import { startProxy } from '../../clients/typescript/test/proxy.mjs';
import { checkExample } from './client-example.mjs';
import { checkTabs } from './client-tabs.mjs';
import { checkModules } from './client-modules.mjs';
import { checkGenerators, installGenerators } from './client-generators.mjs';

const CLIENT = inRoot('clients/typescript');
const EXAMPLE = inRoot('clients/example');
const LONGEST_PAGE_LINES = 100;

/** A limit so low that the tests meet it. */
const SETTINGS = { RATE_LIMIT: '80', RATE_LIMIT_WINDOW: '1' };

/** Checks the built client; each comes out as `{ name, passed, failed, seconds }`. */
export async function checkClient(packageName) {
  const lab = mkdtempSync(join(tmpdir(), 'client-check-'));
  const site = await startSite(join(lab, 'site'));
  // Takes its time, most of it waiting for the registry.
  const installed = installGenerators().catch((error) => error);
  const [service, esbuild] = await Promise.all([
    startOwnService({ ...SETTINGS, CORS_ORIGINS: site.origin }),
    installEsbuild(),
  ]);
  const proxy = await startProxy(service.origin);
  const browser = await openBrowser();
  const results = [];
  const check = async (name, work) => results.push(await measured(name, work));
  try {
    const document = await (await fetch(`${service.origin}/docs/openapi.json`)).json();
    await check('current', () => checkFiles(document, packageName));
    const packed = packClient(lab);
    await Promise.all([
      check('node', () => runSuites({ where: 'Node.js', baseUrl: proxy.origin, admin: ADMIN })),
      (async () => {
        await check('package', async () => checkPackage(lab, await packed, packageName));
        await check('modules', () => checkModules(lab));
        await check('size', () => checkSize(esbuild));
        await check('chromium', () => runInBrowser({ esbuild, site, proxy, browser }));
      })(),
    ]);
    await check('example', () =>
      checkExample({ esbuild, site, service, browser, longest: LONGEST_PAGE_LINES }),
    );
    await check('generators', async () => {
      const failure = await installed;
      if (failure) throw failure;
      return checkGenerators(document);
    });
  } finally {
    await browser.close();
    proxy.stop();
    site.stop();
    await service.stop();
    rmSync(lab, { recursive: true, force: true });
  }
  return results;
}

/** Runs checks that resolve to `[{ name, failure }]`, and counts them. */
async function measured(name, work) {
  const begin = performance.now();
  let cases;
  try {
    cases = await work();
  } catch (error) {
    cases = [{ name, failure: error.stack }];
  }
  for (const { name: title, failure } of cases)
    console.log(failure ? `FAIL ${title}\n${failure}` : `ok   ${title}`);
  const failed = cases.filter(({ failure }) => failure).length;
  return { name, passed: cases.length - failed, failed, seconds: secondsSince(begin) };
}

const verdict = (name, failure) => ({ name, failure: failure || undefined });

async function installEsbuild() {
  const program = join(EXAMPLE, 'node_modules/esbuild/bin/esbuild');
  if (!existsSync(program)) {
    const { code } = await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], {
      cwd: EXAMPLE,
    });
    if (code !== 0) throw new Error('npm ci in clients/example failed');
  }
  return async (...args) => {
    const { code, output } = await run(program, [...args, '--log-level=warning'], { quiet: true });
    if (code !== 0) throw new Error(output);
  };
}

/** What is generated is what the service would generate now. */
async function checkFiles(document, packageName) {
  const changed = outdatedFiles(await clientFiles(document, packageName));
  const failure = changed.length > 0 && `not as generated, run npm run client: ${changed.join(', ')}`;
  return [verdict('the client is generated from the current document', failure)];
}

/** Packs the client as npm would publish it, and unpacks it into a project of its own. */
async function packClient(lab) {
  const { code, output } = await run('npm', ['pack', '--pack-destination', lab, '--silent'], {
    quiet: true,
    cwd: CLIENT,
  });
  if (code !== 0) throw new Error(output);
  const archive = join(lab, output.trim().split('\n').at(-1));
  const { name } = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'));
  const folder = join(lab, 'project/node_modules', name);
  mkdirSync(folder, { recursive: true });
  await run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
  return folder;
}

/** The package, installed: both module systems, its types in each, no dependencies. */
async function checkPackage(lab, folder, packageName) {
  const project = join(lab, 'project');
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const test = readFileSync(join(CLIENT, 'test/types/types.ts'), 'utf8');
  for (const name of ['types.mts', 'types.cts', 'bundled/types.ts']) {
    mkdirSync(join(project, 'bundled'), { recursive: true });
    writeFileSync(join(project, name), test);
  }
  writeFileSync(join(project, 'readme.mts'), readmeCode(packageName));
  const load = (code) => runNode(['--input-type=' + code[0], '-e', code[1]], { quiet: true, cwd: project });
  const call = "console.log(typeof createClient({ baseUrl: 'http://localhost' }).products.list)";
  const esm = await load(['module', `import { createClient } from '${packageName}'; ${call}`]);
  const cjs = await load(['commonjs', `const { createClient } = require('${packageName}'); ${call}`]);
  const types = (files, ...options) => compile(project, files, options);
  const nodenext = await types(['types.mts', 'types.cts', 'readme.mts'], '--module', 'nodenext');
  const bundled = await types(['bundled/types.ts'], '--module', 'esnext', '--moduleResolution', 'bundler');
  return [
    verdict('the package has no dependencies', Object.keys(dependencies).join()),
    verdict('the package is imported', esm.output.trim() === 'function' ? '' : esm.output),
    verdict('the package is required', cjs.output.trim() === 'function' ? '' : cjs.output),
    verdict(
      'G1 G2 G4 the types are right for Node.js, as ES modules and CommonJS, and the README and the guide compile',
      nodenext,
    ),
    verdict('the types are right for bundlers', bundled),
  ];
}

/** The code of the README and of the guide, each block in a function of its own, with what it takes for granted. */
function readmeCode(packageName) {
  const pages = [join(CLIENT, 'README.md'), inRoot('src/docs/guides/typescript-client.md')];
  const text = pages.map((page) => readFileSync(page, 'utf8')).join('\n');
  const blocks = [...text.matchAll(/^```ts\n([^]*?)^```/gm)].map(([, code], index) => {
    const body = code.replaceAll(/^import .*$/gm, '');
    return `export async function block${index}() {\n${body}}\n`;
  });
  return `import { type Client, createClient, isError, token } from '${packageName}';
declare const plinth: Client;
declare const api: Client;
declare const user: { id: number };
declare const items: { productId: number; quantity: number }[];
declare function showSoldOut(): void;
declare function showFaults(details: readonly { field: string; message: string }[]): void;
declare function waitFor(ms: number | undefined): void;
${blocks.join('')}`;
}

/** What the strict compiler complains of. */
async function compile(cwd, files, options) {
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const target = ['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable,dom.asynciterable'];
  const args = [TSC, ...strict, ...target, ...options, ...files];
  const { code, output } = await runNode(args, { quiet: true, cwd });
  return code === 0 ? '' : output;
}

async function checkSize(esbuild) {
  const file = join(CLIENT, 'dist/bundle.js');
  await esbuild(
    join(CLIENT, 'dist/esm/index.js'),
    '--bundle',
    '--minify',
    '--format=esm',
    `--outfile=${file}`,
  );
  const { length } = gzipSync(readFileSync(file), { level: 9 });
  rmSync(file);
  const largest = promisedBytes();
  const name = `all of it takes ${length} bytes, minified and compressed`;
  return [verdict(name, !(length < largest) && `not under ${largest}, which its README promises`)];
}

/** `Under 6 kB compressed` → 6000. */
function promisedBytes() {
  const [, kilobytes] =
    /Under (\d+) kB compressed/.exec(readFileSync(join(CLIENT, 'README.md'), 'utf8')) ?? [];
  return Number(kilobytes) * 1000;
}

/** The tests of the client, on pages of another origin. */
async function runInBrowser({ esbuild, site, proxy, browser }) {
  await esbuild(
    join(CLIENT, 'test/page.mjs'),
    '--bundle',
    '--format=esm',
    `--outfile=${join(site.folder, 'suites.js')}`,
  );
  const page = await browser.newPage();
  await page.goto(`${site.origin}/suites.html`);
  await page.waitForFunction('globalThis.runSuites !== undefined');
  const settings = { where: 'Chromium', baseUrl: proxy.origin, admin: ADMIN };
  const results = await Promise.all([
    page.evaluate((given) => globalThis.runSuites(given), settings),
    checkTabs({ site, proxy, browser }),
  ]);
  return results.flat();
}
