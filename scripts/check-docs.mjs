/**
 * `npm run docs:check` starts the service and opens /docs and /reference in Chromium. It fails if a page shows no
 * operation, logs an error, or sends a request to another server. It also fails if Swagger UI cannot log in and try an
 * operation. On a phone, an opened operation must be at most four screens high, and nothing may be cut off.
 */
import './lib/node-version.mjs';
import assert from 'node:assert/strict';
import { ensureBuilt } from './lib/build.mjs';
import { launchChromium } from './lib/chromium.mjs';
import { ADMIN, startOwnService } from './lib/own-service.mjs';

const PHONE = { width: 390, height: 844 };

await ensureBuilt();
const service = await startOwnService();
const browser = await launchChromium();
try {
  await check('/docs', async (page) => {
    await page.getByRole('heading', { name: / v1\b/ }).waitFor();
    await page.locator('.topbar select').selectOption({ label: 'v2' });
    await page.getByRole('heading', { name: / v2\b/ }).waitFor();
    const operations = page.locator('.opblock');
    assert.ok((await operations.first().boundingBox()).y < 600);
    await page.locator('.auth-wrapper .authorize').first().click();
    const forms = page.locator('.modal-ux-content');
    const basic = forms.locator('.auth-container').filter({ hasText: 'Basic' });
    assert.equal(await forms.evaluate(({ scrollTop }) => scrollTop), 0);
    await basic.getByLabel('username').fill(ADMIN.email);
    await basic.getByLabel('password').fill(ADMIN.password);
    await basic.locator('button.authorize').click();
    await page.locator('.close-modal').click();
    await page.locator('.operation-filter-input').fill('USERS/ME');
    const operation = operations.filter({ hasText: '/api/v2/users/me' });
    await operations.filter({ hasText: '/login' }).waitFor({ state: 'detached' });
    await operation.locator('.opblock-summary-control').first().click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/v2/users/me'));
    await operation.getByRole('button', { name: 'Execute' }).click();
    assert.equal((await answered).status(), 200);
    // The page shows the body, headers and duration of the live response.
    const live = operation.locator('.live-responses-table');
    for (const text of [ADMIN.email, /etag:/i, /^\d+ ms$/]) await live.getByText(text).first().waitFor();
    const lines = live.locator('.highlight-code .microlight').first();
    assert.ok(await lines.evaluate((body) => body.clientHeight >= Math.min(body.scrollHeight, 390)));
  });
  await check('/docs', checkOnPhone, { viewport: PHONE, isMobile: true, hasTouch: true });
  await check('/reference', async (page) => {
    await page.getByRole('heading', { name: 'Getting started' }).first().waitFor();
    const code = page.locator('pre code').filter({ hasText: 'TOKEN=' }).first();
    assert.ok((await code.innerText()).includes(`BASE=${service.origin}`));
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const isCut = ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth;
      assert.equal(await code.evaluate(isCut), false, `a line of the first guide is cut off at ${width} px`);
    }
    await page.keyboard.press('Control+k');
    const search = page.getByRole('dialog');
    for (const words of ['Create a product', 'PRODUCT_NOT_FOUND', 'How do I log in', 'and 412']) {
      await search.getByRole('combobox').fill(words);
      await search.getByRole('option').filter({ hasText: words }).first().waitFor();
    }
    await page.goto(`${service.origin}/reference#v1/tag/products/PATCH/api/v1/products/{id}`);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const statuses = page.getByRole('tablist').filter({ hasText: '412' }).first();
      assert.ok(await statuses.evaluate((all) => all.scrollWidth <= all.clientWidth));
      await page.getByText('Typed client').first().waitFor();
    }
  });
} finally {
  await browser.close();
  await service.stop();
}

/**
 * Opens the longest operations of each method. @throws Error if one is too high or too wide, or repeats the error
 * schema
 */
async function checkOnPhone(page) {
  await page.locator('.opblock').first().waitFor();
  for (const id of await longestOperations()) {
    const { height, width, forms } = await page.evaluate(measureOperation, id);
    assert.ok(height <= 4 * PHONE.height, `${id} is ${(height / PHONE.height).toFixed(1)} screens high`);
    assert.equal(width, PHONE.width, `the width of the page while ${id} is open`);
    assert.equal(forms, 1, `how often ${id} shows the schema of errors`);
  }
}

/** Returns the element ids of the two longest operations of each method, by parameters, responses and text. */
async function longestOperations() {
  const { paths } = await (await fetch(`${service.origin}/docs/v1/openapi.json`)).json();
  const operations = Object.values(paths)
    .flatMap((item) => Object.entries(item))
    .map(([method, { tags, operationId, 'x-codeSamples': _, ...shown }]) => {
      const id = `operations-${tags[0].replaceAll(' ', '_')}-${operationId}`;
      return { method, id, length: JSON.stringify(shown).length };
    })
    .sort((a, b) => b.length - a.length);
  const methods = ['get', 'post', 'put', 'patch', 'delete'];
  return methods.flatMap((name) =>
    operations
      .filter(({ method }) => method === name)
      .slice(0, 2)
      .map(({ id }) => id),
  );
}

/**
 * Runs on the page. Opens an operation. Returns its height, the width of the page, and how many errors show a schema.
 */
async function measureOperation(id) {
  const operation = document.getElementById(id);
  const control = operation.querySelector('.opblock-summary-control');
  control.click();
  while (!operation.querySelector('tr.response[data-code="default"] .renderedMarkdown'))
    await new Promise((resolve) => setTimeout(resolve, 10));
  const forms = [...operation.querySelectorAll('tr.response:not([data-code^="2"]) .model-example')];
  const measured = {
    height: operation.offsetHeight,
    width: document.documentElement.scrollWidth,
    forms: forms.filter((form) => form.offsetHeight > 0).length,
  };
  control.click();
  return measured;
}

/** Opens a page and passes it to `use`. @throws Error if the page logs an error, or sends a request to another server */
async function check(path, use, device = { viewport: { width: 1280, height: 1400 } }) {
  const page = await browser.newPage(device);
  const complaints = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${service.origin}/`) && !/^(data|blob):/.test(request.url()))
      complaints.push(`sends a request to ${request.url()}`);
  });
  await page.goto(service.origin + path);
  await use(page);
  assert.deepEqual(complaints, []);
  await page.close();
  console.log(`ok   ${path} works`);
}
