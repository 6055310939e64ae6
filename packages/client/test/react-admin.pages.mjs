import { readFileSync } from 'node:fs';
import { equal } from './assert.mjs';

/** Uses the admin pages in Chromium as an administrator would. Resolves to `[{ name, failure }]`. */
export async function checkPages(page, api, site, origin) {
  const category = `pages-${Date.now().toString(36)}`;
  const made = [];
  for (const [name, price] of [
    ['Birch lamp', 30],
    ['Oak lamp', 10],
    ['Elm chair', 20],
  ])
    made.push((await api.products.create({ name, price, category })).data);
  const open = (path) => page.goto(`${site}/?api=${origin}#/${path}`);
  const rows = page.locator('tbody tr');
  const names = () => page.locator('tbody .column-name').allInnerTexts();
  const message = (text) => page.getByText(text).first().waitFor();
  const filter = async (label, value) => {
    await page.getByLabel(label, { exact: true }).or(page.getByPlaceholder(label)).first().fill(value);
  };
  const showNames = async (expected) => {
    await page.waitForFunction(
      (texts) =>
        JSON.stringify([...document.querySelectorAll('tbody .column-name')].map((cell) => cell.innerText)) ===
        texts,
      JSON.stringify(expected),
    );
    equal(await names(), expected);
  };
  const sortBy = (column) => page.locator(`thead .column-${column} .MuiTableSortLabel-root`).click();
  // Without a reload, the page first shows a cached row, and later resets the form to the row that it reads.
  const openProduct = async (id) => {
    await open(`products/${id}`);
    await page.reload();
    await page.getByLabel('Price *').waitFor();
  };
  const steps = {
    'a list is filtered, and sorted by id and price': async () => {
      await open('products');
      await filter('Category', category);
      await showNames(['Birch lamp', 'Oak lamp', 'Elm chair']);
      await sortBy('id');
      await showNames(['Elm chair', 'Oak lamp', 'Birch lamp']);
      await sortBy('price');
      await showNames(['Oak lamp', 'Elm chair', 'Birch lamp']);
    },
    'a list is searched': async () => {
      await filter('Search', 'lamp');
      await showNames(['Oak lamp', 'Birch lamp']);
      await filter('Search', '');
      await showNames(['Oak lamp', 'Elm chair', 'Birch lamp']);
    },
    'an edit succeeds despite a new review, but does not overwrite the change of another user': async () => {
      await openProduct(made[0].id);
      await api.reviews.create(made[0].id, { rating: 5 });
      await page.getByLabel('Price *').fill('31');
      await page.getByRole('button', { name: 'Save' }).click();
      await message('Element updated');
      // The page then opens the list. If it did so later, it would leave the row that is opened below.
      await page.waitForURL(/#\/products(\?|$)/);
      equal((await api.products.get(made[0].id)).data.price, 31);
      await openProduct(made[0].id);
      await api.products.patch(made[0].id, { name: 'Birch lamp, large' });
      await page.getByLabel('Price *').fill('32');
      await page.getByRole('button', { name: 'Save' }).click();
      await message(/^Somebody else has changed this/);
      const { data } = await api.products.get(made[0].id);
      equal([data.name, data.price], ['Birch lamp, large', 31], 'the row that the other user wrote');
    },
    'an error is shown at its field, and the corrected row is created': async () => {
      await open('products/create');
      await page.getByLabel('Name *').fill('Ash shelf');
      await page.getByLabel('Price *').fill('-1');
      await page.getByLabel('Category', { exact: true }).fill(category);
      await page.getByRole('button', { name: 'Save' }).click();
      const helper = page.locator('.MuiFormControl-root', { has: page.getByLabel('Price *') }).locator('p');
      await helper.filter({ hasText: /0/ }).waitFor();
      await page.getByLabel('Price *').fill('40');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(/#\/products(\?|$)/);
      equal((await api.products.list({ category, q: 'shelf' })).pagination.total, 1);
    },
    'a taken e-mail is reported at its field': async () => {
      const { email } = (await api.users.me()).data;
      await open('users/create');
      await page.getByLabel('Email *').fill(email);
      await page.getByLabel('Password *').fill('correct horse battery');
      await page.getByRole('button', { name: 'Save' }).click();
      const helper = page.locator('.MuiFormControl-root', { has: page.getByLabel('Email *') }).locator('p');
      await helper.filter({ hasText: /\w/ }).waitFor();
    },
    'an export has all rows that match the filter, and a byte order mark for Excel': async () => {
      await open(`products?filter=${encodeURIComponent(JSON.stringify({ category }))}`);
      await rows.nth(3).waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export' }).click(),
      ]);
      const file = readFileSync(await download.path());
      equal([...file.subarray(0, 3)], [0xef, 0xbb, 0xbf], 'the byte order mark');
      equal(file.toString().trim().split('\n').length, 5, 'the number of lines');
    },
    'selected rows are deleted together': async () => {
      await rows.nth(3).waitFor();
      await page.getByRole('checkbox', { name: 'Select all' }).click();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page
        .getByRole('button', { name: 'Confirm' })
        .click()
        .catch(() => undefined);
      await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 0);
      for (let tries = 0; (await api.products.list({ category })).pagination.total > 0; tries++) {
        if (tries > 50) throw new Error('the rows still exist');
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    },
  };
  const results = [];
  for (const [name, step] of Object.entries(steps)) {
    const result = { name: `react-admin in Chromium: ${name}`, failure: undefined };
    try {
      await step();
    } catch (error) {
      result.failure = `${error?.stack ?? error}\n${await page.locator('body').innerText()}`;
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/${results.length}.png` });
    }
    results.push(result);
  }
  return results;
}
