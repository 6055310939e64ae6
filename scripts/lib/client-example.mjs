import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiKey, createClient, token } from '../../clients/typescript/dist/esm/index.js';
import { ADMIN } from './own-service.mjs';
import { inRoot } from './paths.mjs';

const EXAMPLE = inRoot('clients/example');
const PAGE = join(EXAMPLE, 'src/main.ts');
const SHOPPER = { email: 'shopper@example.com', password: 'correct horse battery', name: 'Shopper' };

/**
 * Uses the example in Chromium as its readers would: log-in, filters, scrolling, an order, a review, and the errors
 * that it handles. Resolves to `[{ name, failure }]`.
 */
export async function checkExample({ esbuild, site, service, browser, longest }) {
  const lines = readFileSync(PAGE, 'utf8').trimEnd().split('\n').length;
  const results = [
    { name: `the example has ${lines} lines`, failure: lines < longest ? undefined : `not under ${longest}` },
  ];
  for (const name of ['index.html', 'style.css'])
    copyFileSync(join(EXAMPLE, 'public', name), join(site.folder, name));
  await esbuild(PAGE, '--bundle', '--format=esm', '--minify', `--outfile=${join(site.folder, 'main.js')}`);
  const admin = await fillShop(service);
  const page = await browser.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(`${site.origin}/?api=${service.origin}`);
  const shop = { page, admin, status: page.locator('#status'), items: page.locator('#products li') };
  for (const [name, step] of Object.entries(STEPS)) {
    try {
      await step(shop);
      results.push({ name: `the example: ${name}` });
    } catch (error) {
      results.push({ name: `the example: ${name}`, failure: error.stack });
    }
  }
  results.push({ name: 'the example throws nothing', failure: faults.join('\n') || undefined });
  return results;
}

/** More products than a page holds, one of them sold out, and a shopper who may change prices. */
async function fillShop({ origin }) {
  const auth = apiKey(await keyOf(origin));
  const admin = createClient({ baseUrl: origin, auth, retries: 20 });
  await admin.users.create({ ...SHOPPER, role: 'editor' });
  const numbers = Array.from({ length: 45 }, (_, index) => index + 1);
  await Promise.all(
    numbers.map((price) =>
      admin.products.create({ name: `Lamp ${price}`, price, category: 'example', inStock: price !== 2 }),
    ),
  );
  return admin;
}

async function keyOf(baseUrl) {
  const permissions = ['read', 'create', 'update', 'delete', 'manage_users'];
  const { data } = await createClient({ baseUrl, auth: token(ADMIN) }).apiKeys.create({
    name: 'Example',
    permissions,
  });
  return data.key;
}

const submit = async (item, form, value) => {
  await item.locator(`.${form} input`).fill(String(value));
  await item.locator(`.${form} button`).click();
};

const lamp = ({ items }, name) => items.filter({ has: items.page().getByText(name, { exact: true }) });

const STEPS = {
  'a wrong password is refused': async ({ page, status }) => {
    await logIn(page, 'a wrong password');
    await status.getByText(/\w/).waitFor();
    assert.equal(await page.locator('main').isHidden(), true);
  },
  'a log-in opens the list': async ({ page, items }) => {
    await logIn(page, SHOPPER.password);
    await items.first().waitFor();
    assert.equal(await page.locator('#account span').textContent(), SHOPPER.name);
  },
  'filters and sorts': async (shop) => {
    const { page, items } = shop;
    await page.getByLabel('Category').fill('example');
    await page.getByLabel('Sort').selectOption('price:asc');
    await items.first().getByText('Lamp 1', { exact: true }).waitFor();
    await page.getByLabel('In stock').check();
    await lamp(shop, 'Lamp 2').waitFor({ state: 'detached' });
  },
  'scrolling shows all': async (shop) => {
    const { page } = shop;
    while ((await lamp(shop, 'Lamp 45').count()) === 0) {
      await page.mouse.wheel(0, 5_000);
      await page.locator('#end').scrollIntoViewIfNeeded();
    }
    assert.equal(await shop.items.count(), 44);
  },
  'an order': async (shop) => {
    await submit(lamp(shop, 'Lamp 3'), 'order', 2);
    await shop.status.getByText(/^Order \d+: 6\.00$/).waitFor();
  },
  'a review': async (shop) => {
    await submit(lamp(shop, 'Lamp 3'), 'review', 4);
    await lamp(shop, 'Lamp 3').getByText('★ 4').waitFor();
  },
  '409: what is sold out meanwhile': async (shop) => {
    await shop.admin.products.update(await idOf(shop, 'Lamp 4'), () => ({ inStock: false }));
    await submit(lamp(shop, 'Lamp 4'), 'order', 1);
    await shop.status.getByText(/stock/).waitFor();
  },
  '412: what somebody else has changed meanwhile': async (shop) => {
    await beginToEdit(shop, 'Lamp 5');
    await shop.admin.products.update(await idOf(shop, 'Lamp 5'), () => ({ price: 5.5 }));
    await submit(lamp(shop, 'Lamp 5'), 'edit', 4);
    await shop.status.getByText(/^Somebody else/).waitFor();
    await lamp(shop, 'Lamp 5').getByText('5.50').waitFor();
  },
  '412: what it is now cannot be read': async (shop) => {
    const { page, admin, status } = shop;
    await beginToEdit(shop, 'Lamp 7');
    await admin.products.update(await idOf(shop, 'Lamp 7'), () => ({ price: 7.5 }));
    const lists = /\/products\?/;
    await page.route(lists, (route) => route.abort());
    await submit(lamp(shop, 'Lamp 7'), 'edit', 4);
    await status.getByText('The service is out of reach.', { exact: true }).waitFor();
    await page.unroute(lists);
    await page.getByLabel('In stock').uncheck();
    await lamp(shop, 'Lamp 7').getByText('7.50').waitFor();
  },
  'an empty price is not saved': async (shop) => {
    await lamp(shop, 'Lamp 6').locator('.edit button').click();
    assert.equal(await lamp(shop, 'Lamp 6').locator('.edit input:invalid').count(), 1);
    assert.equal((await shop.admin.products.get(await idOf(shop, 'Lamp 6'))).data.price, 6);
  },
  '422: a price below zero': async (shop) => {
    await submit(lamp(shop, 'Lamp 6'), 'edit', -1);
    await shop.status.getByText(/^price: /).waitFor();
  },
  'a reload keeps the log-in, a log-out ends it': async ({ page, items }) => {
    await page.reload();
    await items.first().waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
  },
  '429: too many wrong passwords': async ({ page, status }) => {
    for (;;) {
      const answered = page.waitForResponse((response) => response.url().endsWith('/login'));
      const [response] = await Promise.all([answered, logIn(page, 'a wrong password')]);
      if (response.status() === 429) break;
    }
    await status.getByText(/^Too many attempts: wait \d+ seconds\.$/).waitFor();
  },
};

async function logIn(page, password) {
  await page.getByLabel('E-mail').fill(SHOPPER.email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Resolves when the page has the `ETag` that it will save with. */
async function beginToEdit(shop, name) {
  const isRead = (response) => response.ok() && /\/products\/\d+$/.test(response.url());
  const seen = shop.page.waitForResponse(isRead);
  await Promise.all([seen, lamp(shop, name).locator('.edit input').focus()]);
}

async function idOf({ admin }, name) {
  for await (const product of admin.products.list({ category: 'example' }))
    if (product.name === name) return product.id;
  throw new Error(`there is no ${name}`);
}
