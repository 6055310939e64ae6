/**
 * `npm run docs:check`: opens /docs and /reference of a freshly started service in Chromium. Fails where a page shows no
 * operation, complains in the console, asks another server, or where Swagger UI cannot log in and try an operation.
 */
import './lib/node-version.mjs';
import assert from 'node:assert/strict';
import { ensureBuilt } from './lib/build.mjs';
import { launchChromium } from './lib/chromium.mjs';
import { ADMIN, startOwnService } from './lib/own-service.mjs';

await ensureBuilt();
const service = await startOwnService();
const browser = await launchChromium('--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1');
try {
  await check('/docs', async (page) => {
    await page.getByRole('heading', { name: / v1\b/ }).waitFor();
    await page.locator('.topbar select').selectOption({ label: 'v2' });
    await page.getByRole('heading', { name: / v2\b/ }).waitFor();
    await page.locator('.auth-wrapper .authorize').first().click();
    await page
      .locator('.modal-ux .auth-container input')
      .first()
      .fill(await accessToken());
    await page.locator('.modal-ux button.authorize').first().click();
    await page.locator('.close-modal').click();
    const operation = page.locator('.opblock').filter({ hasText: '/api/v2/users/me' });
    await operation.locator('.opblock-summary-control').first().click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/v2/users/me'));
    await operation.getByRole('button', { name: 'Execute' }).click();
    assert.equal((await answered).status(), 200);
    // What a reader sees: body, headers and duration of the live response.
    const live = operation.locator('.live-responses-table');
    for (const text of [ADMIN.email, /etag:/i, /^\d+ ms$/]) await live.getByText(text).first().waitFor();
    const lines = live.locator('.highlight-code .microlight').first();
    assert.ok(await lines.evaluate((body) => body.clientHeight >= Math.min(body.scrollHeight, 390)));
  });
  await check('/reference', async (page) => {
    await page.getByRole('heading', { name: 'Getting started' }).first().waitFor();
    await page.keyboard.press('Control+k');
    const search = page.getByRole('dialog');
    for (const words of ['Create a product', 'PRODUCT_NOT_FOUND', 'log in']) {
      await search.getByRole('combobox').fill(words);
      await search.getByRole('option').filter({ hasText: words }).first().waitFor();
    }
  });
} finally {
  await browser.close();
  await service.stop();
}

/** Uses a page. @throws Error for what it complains of, and where it asks outside of the service */
async function check(path, use) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1400 } });
  const complaints = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${service.origin}/`) && !/^(data|blob):/.test(request.url()))
      complaints.push(`asks ${request.url()}`);
  });
  await page.goto(service.origin + path);
  await use(page);
  assert.deepEqual(complaints, []);
  await page.close();
  console.log(`${path} is in order`);
}

async function accessToken() {
  const response = await fetch(`${service.origin}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  return (await response.json()).accessToken;
}
