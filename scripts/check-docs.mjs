/**
 * `npm run docs:check`: opens /docs of a freshly started service in Chromium and uses it as a reader would: both
 * versions, a token, a request. Fails on anything in the console and on any request that leaves the server.
 * Takes the Chromium of `CHROMIUM` or /usr/bin/chromium, and leaves pictures in a temporary folder.
 */
import './lib/node-version.mjs';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { MAIN, ensureBuilt } from './lib/build.mjs';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ADMIN = { email: 'admin@example.com', password: 'only for this check' };
const PATIENCE_MS = 15_000;

if (!existsSync(CHROMIUM)) {
  console.error(`There is no ${CHROMIUM}: install Chromium (apt-get install chromium), or set CHROMIUM.`);
  process.exit(1);
}
await ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'service-docs-'));
const service = await startService();
let failure;
try {
  await checkPage();
  console.log(`The docs are in order. Pictures: ${folder}`);
} catch (error) {
  failure = error;
} finally {
  await stopService();
}
if (failure) {
  console.error(failure);
  process.exitCode = 1;
}

async function startService() {
  const env = {
    ...process.env,
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    LOG_LEVEL: 'warn',
  };
  const child = spawn(process.execPath, [MAIN], { env, cwd: folder, stdio: ['ignore', 'inherit', 'pipe'] });
  for await (const line of createInterface(child.stderr)) {
    const origin = / serves (http.*)\/api\/v1$/.exec(line)?.[1];
    if (!origin) continue;
    child.stderr.resume();
    return { child, origin };
  }
  throw new Error('the service did not start');
}

async function stopService() {
  const { removeEmbeddedDatabase } =
    await import('../dist/packages/embedded-postgres-server/remove-embedded-database.js');
  const exited = once(service.child, 'exit');
  service.child.kill('SIGTERM');
  await exited;
  await removeEmbeddedDatabase(join(folder, 'data/database'));
  rmSync(join(folder, 'data'), { recursive: true, force: true });
}

async function checkPage() {
  // A name that is not the machine's own: on `localhost` Swagger UI leaves out what it does elsewhere.
  const name = 'service.test';
  const origin = service.origin.replace('127.0.0.1', name);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--host-resolver-rules=MAP ${name} 127.0.0.1, EXCLUDE 127.0.0.1, MAP * ~NOTFOUND`,
      // Else Chromium complains that plain HTTP deserves no isolation, which is so in development alone.
      `--unsafely-treat-insecure-origin-as-secure=${origin}`,
    ],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 1400 } });
    page.setDefaultTimeout(PATIENCE_MS);
    const complaints = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`page: ${error.message}`));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) complaints.push(`asks ${url}`);
    });
    await page.goto(`${origin}/docs`);
    await checkVersions(page);
    await checkTrying(page);
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
  }
}

/** The first version is shown first; the other one can be chosen. */
async function checkVersions(page) {
  await page.getByRole('heading', { name: / v1\b/ }).waitFor();
  const choice = page.locator('.topbar select');
  assert.deepEqual(await choice.locator('option').allTextContents(), ['v1', 'v2']);
  await picture(page, 'v1');
  await choice.selectOption({ label: 'v2' });
  await page.getByRole('heading', { name: / v2\b/ }).waitFor();
  const paths = await page.locator('.opblock-summary-path').allTextContents();
  assert(paths.length > 0 && !paths.some((path) => path.includes('/api/v1/')), `v2 shows ${paths.join()}`);
  await picture(page, 'v2');
  await choice.selectOption({ label: 'v1' });
  await page.getByRole('heading', { name: / v1\b/ }).waitFor();
}

/** A token opens the list of products, and an operation shows its examples. */
async function checkTrying(page) {
  const token = await logIn();
  await page.locator('.auth-wrapper .authorize').first().click();
  // One form for each scheme, under one roof.
  const schemes = page.locator('.modal-ux .auth-container');
  assert.equal(await schemes.count(), 4);
  const bearer = schemes.filter({ hasText: 'bearer' });
  await bearer.locator('input').fill(token);
  await bearer.locator('button.authorize').click();
  await bearer.locator('button.btn-done').click();
  const list = page.locator('.opblock').filter({ hasText: 'List products' });
  await list.locator('.opblock-summary-control').first().click();
  await list.getByText('With `cursor`').first().waitFor({ state: 'attached' });
  await picture(page, 'list');
  await list.getByRole('button', { name: 'Try it out' }).click();
  await list.getByRole('button', { name: 'Execute' }).click();
  const answer = list.locator('.live-responses-table .response').first();
  await answer.waitFor();
  assert.equal((await answer.locator('.response-col_status').textContent()).trim().slice(0, 3), '200');
  assert.match(await answer.textContent(), /"pagination"/);
  await picture(page, 'tried');
  const create = page.locator('.opblock').filter({ hasText: 'Create a product' });
  await create.locator('.opblock-summary-control').first().click();
  await create.getByText('Walnut desk lamp').first().waitFor();
}

async function logIn() {
  const response = await fetch(`${service.origin}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  assert.equal(response.status, 200);
  return (await response.json()).accessToken;
}

function picture(page, name) {
  return page.screenshot({ path: join(folder, `${name}.png`) });
}
