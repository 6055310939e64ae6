import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { secondsSince } from '../../../scripts/lib/checks.mjs';
import { launchChromium } from '../../../scripts/lib/chromium.mjs';
import { ADMIN, startOwnService } from '../../../scripts/lib/own-service.mjs';
import { inRoot, TSC } from '../../../scripts/lib/paths.mjs';
import { run, runNode } from '../../../scripts/lib/run.mjs';
import { createClient, token } from '../../../client/dist/esm/index.js';
import { each, equal } from './assert.mjs';
import { checkGenerators } from './generators.mjs';
import { checkReactAdmin } from './react-admin.mjs';
import { runSuites } from './suites.mjs';
import { startProxy } from './proxy.mjs';

const CLIENT = inRoot('client');
const RUNTIME = inRoot('packages/client');
const EXAMPLE = inRoot('client/example');
/** The maximum size of the compressed runtime. */
const MOST_BYTES = 6_000;
const SHOPPER = { email: 'shopper@example.com', password: 'correct horse battery', name: 'Shopper' };

/** Checks the built client. Resolves to a `{ name, passed, failed, seconds }` for each check. */
export async function checkClient() {
  const lab = mkdtempSync(join(tmpdir(), 'client-check-'));
  const site = await startSite(join(lab, 'site'));
  // The rate limit is low enough for the tests to reach it.
  const service = await startOwnService({
    RATE_LIMIT: '80',
    RATE_LIMIT_WINDOW: '1',
    CORS_ORIGINS: site.origin,
  });
  const proxy = await startProxy(service.origin);
  const browser = await launchChromium();
  const results = [];
  try {
    for (const [name, work] of Object.entries({
      current: () => checkFiles(),
      package: () => checkPackages(lab, service),
      others: () => checkGenerators(join(lab, 'others'), service, compile),
      node: () => runSuites({ where: 'Node.js', baseUrl: proxy.origin, admin: ADMIN }),
      chromium: () => runInBrowser(site, proxy, browser),
      example: () => checkExample(site, service, browser),
      'react-admin': () => checkReactAdmin(site, service, browser),
    }))
      results.push(await measured(name, work));
  } finally {
    await browser.close();
    proxy.stop();
    site.stop();
    await service.stop();
    rmSync(lab, { recursive: true, force: true });
  }
  return results;
}

/** Runs a check that resolves to `[{ name, failure }]`, prints each result and counts them. */
async function measured(name, work) {
  const begin = performance.now();
  const cases = await work().catch((error) => [{ name, failure: error.stack }]);
  for (const { name: title, failure } of cases)
    console.log(failure ? `FAIL ${title}\n${failure}` : `ok   ${title}`);
  const failed = cases.filter(({ failure }) => failure).length;
  return { name, passed: cases.length - failed, failed, seconds: secondsSince(begin) };
}

/** Checks that the generated client is current. */
async function checkFiles() {
  const args = [inRoot('packages/dev/dist/cli/plinth.js'), 'client', '--check', '--no-build'];
  const { code, output } = await runNode(args, { quiet: true });
  return [
    { name: 'the client is generated from the current document', failure: code === 0 ? undefined : output },
  ];
}

/** Checks that the packed packages can be imported and required, are small, and have types for Node.js and bundlers. */
async function checkPackages(lab, { origin }) {
  const project = join(lab, 'project');
  await unpack(RUNTIME, lab, join(project, 'node_modules/@plinth/client'));
  // Installed under another name, because the name that the application gives it does not matter.
  await unpack(CLIENT, lab, join(project, 'node_modules/api-client'));
  for (const name of ['types.mts', 'types.cts', 'types.ts'])
    copyFileSync(join(RUNTIME, 'test/types/types.ts'), join(project, name));
  const { name } = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'));
  const { paths } = await (await fetch(`${origin}/docs/openapi.json`)).json();
  const samples = Object.values(paths)
    .flatMap((operations) => Object.values(operations).flatMap((one) => one['x-codeSamples'] ?? []))
    .map(({ source }, i) => ({
      name: `sample-${i}.mts`,
      text: source.replace(name, 'api-client'),
    }));
  for (const { name, text } of samples) writeFileSync(join(project, name), text);
  const call = "console.log(typeof createClient({ baseUrl: 'http://localhost' }).products.list)";
  const load = (type, code) =>
    runNode([`--input-type=${type}`, '-e', `${code}; ${call}`], { quiet: true, cwd: project });
  const esm = await load('module', `import { createClient } from 'api-client'`);
  const cjs = await load('commonjs', `const { createClient } = require('api-client')`);
  const bytes = await compressedSize(`export * from '@plinth/client'`, project);
  const bundler = ['--module', 'esnext', '--moduleResolution', 'bundler'];
  return [
    {
      name: 'the client can be imported',
      failure: esm.output.trim() === 'function' ? undefined : esm.output,
    },
    {
      name: 'the client can be required',
      failure: cjs.output.trim() === 'function' ? undefined : cjs.output,
    },
    {
      name: `the runtime has at most ${MOST_BYTES} bytes, compressed`,
      failure: bytes > MOST_BYTES ? `${bytes} bytes, compressed` : undefined,
    },
    {
      name: 'the types of the client compile as ES modules and CommonJS, and so do the samples of the reference',
      failure: await compile(project, [
        'types.mts',
        'types.cts',
        ...each(samples, 'name'),
        '--module',
        'nodenext',
      ]),
    },
    {
      name: 'the types of the client compile for bundlers',
      failure: await compile(project, ['types.ts', ...bundler]),
    },
  ];
}

/** Installs a package as npm packs it, without its dependencies. */
async function unpack(source, lab, folder) {
  mkdirSync(folder, { recursive: true });
  // The package has been built already.
  const args = ['pack', '--ignore-scripts', '--pack-destination', lab, '--silent'];
  const { output } = await run('npm', args, { quiet: true, cwd: source });
  await run('tar', [
    '-xzf',
    join(lab, output.trim().split('\n').at(-1)),
    '-C',
    folder,
    '--strip-components=1',
  ]);
}

async function compressedSize(contents, resolveDir) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  return gzipSync(outputFiles[0].contents).length;
}

/** Returns the errors of the compiler in strict mode, or `undefined`. */
async function compile(cwd, args) {
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const target = ['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable,dom.asynciterable'];
  const { code, output } = await runNode([TSC, ...strict, ...target, ...args], { quiet: true, cwd });
  return code === 0 ? undefined : output;
}

/** Runs the tests of the client on a page of another origin. */
async function runInBrowser(site, proxy, browser) {
  await build({
    entryPoints: [join(RUNTIME, 'test/page.mjs')],
    bundle: true,
    format: 'esm',
    outfile: join(site.folder, 'suites.js'),
  });
  const page = await browser.newPage();
  await page.goto(`${site.origin}/suites.html`);
  await page.waitForFunction('globalThis.runSuites !== undefined');
  const settings = { where: 'Chromium', baseUrl: proxy.origin, admin: ADMIN };
  return page.evaluate((given) => globalThis.runSuites(given), settings);
}

const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css' };

/** Serves a folder on an origin of its own. */
async function startSite(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'suites.html'),
    '<!doctype html><script type="module" src="suites.js"></script>',
  );
  const server = createServer((request, response) => {
    const name = new URL(request.url, 'http://site').pathname.slice(1) || 'index.html';
    const file = join(folder, name);
    if (!/^[\w-]+\.\w+$/.test(name) || !existsSync(file)) {
      response.writeHead(name === 'favicon.ico' ? 204 : 404).end();
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[name.split('.').at(-1)] }).end(readFileSync(file));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { folder, origin: `http://127.0.0.1:${server.address().port}`, stop };
}

/** Uses the example in Chromium as a shopper would. Resolves to `[{ name, failure }]`. */
async function checkExample(site, { origin }, browser) {
  for (const name of ['index.html', 'style.css'])
    copyFileSync(join(EXAMPLE, 'public', name), join(site.folder, name));
  await build({
    entryPoints: [join(EXAMPLE, 'src/main.ts')],
    bundle: true,
    format: 'esm',
    outfile: join(site.folder, 'main.js'),
  });
  const admin = createClient({ baseUrl: origin, auth: token(), retries: 20 });
  await admin.login(ADMIN);
  await admin.users.create({ ...SHOPPER, role: 'editor' });
  for (const price of [3, 4, 5])
    await admin.products.create({ name: `Lamp ${price}`, price, category: 'example' });
  const page = await browser.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await page.goto(`${site.origin}/?api=${origin}`);
  await page.waitForLoadState('networkidle');
  equal(faults, [], 'the console output of a visit without a login');
  await page.getByLabel('E-mail').fill(SHOPPER.email);
  await page.getByLabel('Password').fill(SHOPPER.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  const lamp = (name) => page.locator('#products li').filter({ has: page.getByText(name, { exact: true }) });
  const status = page.locator('#status');
  await page.getByLabel('Category').selectOption('example');
  await page.getByLabel('Sort').selectOption('price:asc');
  // Each selection reloads the list, which discards input, so the test waits for the last reload.
  await page.locator('#products li').first().getByText('Lamp 3', { exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  await submit(lamp('Lamp 3'), 'order', 2);
  await status.getByText(/^Order \d+: \$6\.00$/).waitFor();
  await submit(lamp('Lamp 3'), 'review', 4);
  await lamp('Lamp 3').getByText('★ 4').waitFor();
  // The edit form shows changes since the list was read. A change after that is answered with 412.
  const { data } = await admin.products.list({ category: 'example', sort: 'price:asc' });
  const { id } = data[1];
  await admin.products.update(id, () => ({ price: 4.5 }));
  await lamp('Lamp 4').getByRole('button', { name: 'Edit' }).click();
  await lamp('Lamp 4').getByText('$4.50').waitFor();
  await admin.products.update(id, () => ({ price: 777 }));
  await submit(lamp('Lamp 4'), 'edit', 6);
  await status.getByText(/^Somebody else/).waitFor();
  await lamp('Lamp 4').getByText('$777.00').waitFor();
  equal((await admin.products.get(id)).data.price, 777, 'the price that the other client set');
  const unlabelled = await page.evaluate(
    () => [...document.querySelectorAll('input, select')].filter(({ labels }) => labels.length === 0).length,
  );
  equal(unlabelled, 0, 'the number of inputs without a label');
  await page.emulateMedia({ colorScheme: 'dark' });
  equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'light dark');
  return [
    {
      name: 'the example places an order, writes a review and reports a conflict',
      // Chromium reports the expected 412 as an error too.
      failure: faults.filter((fault) => !fault.includes('412')).join('\n') || undefined,
    },
  ];
}

async function submit(item, form, value) {
  await item.locator(`.${form} input`).fill(String(value));
  await item.locator(`.${form} button`).click();
}
