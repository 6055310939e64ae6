import assert from 'node:assert/strict';
import { assertAccessible, assertFits, openPage, PHONE } from './docs-browser.mjs';

const OPERATION = 'v1/tag/products/POST/api/v1/products';

/**
 * The reference as a reader uses it, light on a desktop and dark on a phone.
 *
 * @param means `{ browser, origin, picture }`
 */
export async function checkReference({ browser, origin, picture }) {
  const { page, complaints, close } = await openPage(browser, origin);
  await page.goto(`${origin}/reference`);
  await page.getByRole('heading', { name: 'Getting started' }).first().waitFor();
  // Commands of the guides can be pasted.
  assert.match(await page.locator('.markdown pre').first().textContent(), new RegExp(`^BASE=${origin}\\s`));
  await assertWholeNames(page);
  await picture(page, 'reference');
  await checkSearch(page);
  await assertAccessible(page, '/reference');
  assert.deepEqual(complaints, []);
  await close();
  await checkPhone({ browser, origin, picture });
}

/** Names in the first columns of tables stand on one line. */
async function assertWholeNames(page) {
  const names = page.locator('.markdown td:first-child code');
  await names.first().waitFor();
  const broken = await names.evaluateAll((all) =>
    all.filter((name) => name.getClientRects().length > 1).map((name) => name.textContent),
  );
  assert.deepEqual(broken, []);
}

/** Words of tables stand on one line, but for values in quotes, which are longer than a phone has room for. */
async function assertWholeWords(page) {
  const tables = page.locator('.markdown table');
  await tables.filter({ hasText: 'Bearer token' }).waitFor();
  const broken = await tables.evaluateAll((all) =>
    all.flatMap((table) => {
      const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
      const found = [];
      while (texts.nextNode()) {
        for (const { 0: word, index } of texts.currentNode.data.matchAll(/(?<!\S)[^\s"]\S*/g)) {
          const range = document.createRange();
          range.setStart(texts.currentNode, index);
          range.setEnd(texts.currentNode, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (lines.size > 1) found.push(word);
        }
      }
      return found;
    }),
  );
  assert.deepEqual(broken, []);
}

/** Search finds an operation and a guide. */
async function checkSearch(page) {
  for (const [words, found] of [
    ['Create a product', /Create a product/],
    ['Idempotency', /Idempotency/],
  ]) {
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').fill(words);
    await dialog.getByRole('option').filter({ hasText: found }).first().waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
}

async function checkPhone({ browser, origin, picture }) {
  const { page, complaints, close } = await openPage(browser, origin, {
    colorScheme: 'dark',
    viewport: PHONE,
  });
  await page.goto(`${origin}/reference#${OPERATION}`);
  await page.getByRole('heading', { name: 'Create a product' }).first().waitFor();
  await page.getByText('Walnut desk lamp').first().waitFor();
  await assertFits(page, '/reference on a phone');
  await assertWholeWords(page);
  await picture(page, 'reference-phone');
  await assertAccessible(page, '/reference, dark, on a phone');
  assert.deepEqual(complaints, []);
  await close();
}
