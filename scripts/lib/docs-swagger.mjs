import assert from 'node:assert/strict';
import { assertAccessible, assertFits, openPage, PHONE } from './docs-browser.mjs';

/** Of an ordinary desktop. */
const SCREEN_HEIGHT = 900;

/** Swagger UI as a reader uses it. @param means `{ browser, origin, credentials, picture }` */
export async function checkSwagger({ browser, origin, credentials, picture }) {
  const { page, complaints, close } = await openPage(browser, origin);
  await page.goto(`${origin}/docs`);
  await checkVersions(page, picture);
  await checkSchemes(page, credentials);
  await checkMemory(page, credentials);
  await checkFilter(page);
  await checkHeight(page);
  await checkTrying(page, picture);
  await checkLooks(page, picture);
  assert.deepEqual(complaints, []);
  await close();
}

/** The first version is shown first; the other one can be chosen. */
async function checkVersions(page, picture) {
  await page.getByRole('heading', { name: / v1\b/ }).waitFor();
  const choice = page.locator('.topbar select');
  assert.deepEqual(await choice.locator('option').allTextContents(), ['v1', 'v2']);
  await picture(page, 'v1');
  await choice.selectOption({ label: 'v2' });
  await page.getByRole('heading', { name: / v2\b/ }).waitFor();
  const paths = await page.locator('.opblock-summary-path').allTextContents();
  assert(paths.length > 0 && !paths.some((path) => path.includes('/api/v1/')), `v2 shows ${paths.join()}`);
  await choice.selectOption({ label: 'v1' });
  await page.getByRole('heading', { name: / v1\b/ }).waitFor();
}

/**
 * Each scheme is asked for by name, bearer first, and opens an operation that needs credentials; none of them stays.
 */
async function checkSchemes(page, credentials) {
  const operation = page.locator('.opblock').filter({ hasText: '/api/v1/users/me' });
  await operation.locator('.opblock-summary-control').first().click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  for (const [index, [scheme, values]] of Object.entries(credentials).entries()) {
    const form = await openForm(page, scheme, index);
    for (const [place, value] of values.entries()) await form.locator('input').nth(place).fill(value);
    await form.locator('button.authorize').click();
    await form.getByRole('button', { name: 'Logout' }).waitFor();
    await page.locator('.close-modal').click();
    assert.equal(await statusOf(operation), '200', scheme);
    assert.match(await operation.locator('.live-responses-table').textContent(), /"ada@example\.com"/);
    if (scheme === 'session') break;
    await (await openForm(page, scheme, index)).getByRole('button', { name: 'Logout' }).click();
    await page.locator('.close-modal').click();
  }
  await operation.locator('.opblock-summary-control').first().click();
}

/** D3: credentials outlast another version and a reload. */
async function checkMemory(page, { bearer: [token] }) {
  const form = await openForm(page, 'bearer', 0);
  await form.locator('input').fill(token);
  await form.locator('button.authorize').click();
  await page.locator('.close-modal').click();
  await page.locator('.topbar select').selectOption({ label: 'v2' });
  await page.getByRole('heading', { name: / v2\b/ }).waitFor();
  await assertKept(page);
  // The address names the version.
  await page.reload();
  await page.getByRole('heading', { name: / v2\b/ }).waitFor();
  await assertKept(page);
  await page.locator('.topbar select').selectOption({ label: 'v1' });
  await page.getByRole('heading', { name: / v1\b/ }).waitFor();
}

async function assertKept(page) {
  const form = await openForm(page, 'bearer', 0);
  await form.getByRole('button', { name: 'Logout' }).waitFor();
  await page.locator('.close-modal').click();
}

/** D3: the filter shows the groups of operations that have its words. */
async function checkFilter(page) {
  const filter = page.locator('.operation-filter-input');
  const groups = page.locator('.opblock-tag');
  await filter.fill('Reviews');
  await groups.nth(1).waitFor({ state: 'detached' });
  assert.match(await groups.textContent(), /^Reviews/);
  await filter.fill('');
  await groups.nth(1).waitFor();
}

async function openForm(page, scheme, index) {
  await page.locator('.auth-wrapper .authorize').first().click();
  const form = page.locator('.modal-ux .auth-container').nth(index);
  assert.match(await form.locator('h4').first().textContent(), new RegExp(`^${scheme}\\b`));
  return form;
}

/** Executes an operation that is open for it. */
async function statusOf(operation) {
  const page = operation.page();
  const answered = page.waitForResponse((response) => response.url().includes('/api/'));
  await operation.getByRole('button', { name: 'Execute' }).click();
  const status = String((await answered).status());
  const shown = operation.locator('.live-responses-table .response-col_status').filter({ hasText: status });
  await shown.first().waitFor();
  return status;
}

/** The tallest operation fits two screens when it is opened. */
async function checkHeight(page) {
  const tallest = page.locator('.opblock').filter({ hasText: 'Move an order to another status' }).first();
  await tallest.locator('.opblock-summary-control').first().click();
  await tallest.locator('.responses-wrapper').waitFor();
  await tallest.getByText('PRECONDITION_FAILED').last().waitFor();
  const { height } = await tallest.boundingBox();
  assert(
    height <= 2 * SCREEN_HEIGHT,
    `D2: an opened operation is ${height} pixels high, more than two screens`,
  );
  await tallest.locator('.opblock-summary-control').first().click();
}

/** A list is filled from the demo data, and an operation shows its examples. */
async function checkTrying(page, picture) {
  const list = page.locator('.opblock').filter({ hasText: 'List products' });
  await list.locator('.opblock-summary-control').first().click();
  await list.getByText('By cursor').first().waitFor({ state: 'attached' });
  await list.getByRole('button', { name: 'Try it out' }).click();
  assert.equal(await statusOf(list), '200');
  assert.match(await list.locator('.live-responses-table').textContent(), /"Walnut desk lamp"/);
  await picture(page, 'tried');
  const create = page.locator('.opblock').filter({ hasText: 'Create a product' });
  await create.locator('.opblock-summary-control').first().click();
  await create.getByText('Walnut desk lamp').first().waitFor();
  await create.getByRole('button', { name: 'Try it out' }).click();
}

/** With an operation tried and one to be tried, and with the dialog: light and dark, and on a phone. */
async function checkLooks(page, picture) {
  await assertAccessible(page, '/docs');
  await page.locator('.auth-wrapper .authorize').first().click();
  await page.locator('.modal-ux .auth-container').first().waitFor();
  await assertAccessible(page, '/docs, the dialog of credentials');
  await page.evaluate(() => document.documentElement.classList.add('dark-mode'));
  await assertAccessible(page, '/docs, dark');
  await page.locator('.close-modal').click();
  await picture(page, 'dark');
  await page.setViewportSize(PHONE);
  await assertFits(page, '/docs on a phone');
  await picture(page, 'phone');
}
