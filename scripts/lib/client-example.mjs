import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { createClient, token } from '../../clients/typescript/dist/esm/index.js';
import { ADMIN } from './own-service.mjs';
import { inRoot } from './paths.mjs';

const EXAMPLE = inRoot('clients/example');
const SHOPPER = { email: 'shopper@example.com', password: 'correct horse battery', name: 'Shopper' };

/** Uses the example in Chromium as a shopper would. Resolves to `[{ name, failure }]`. */
export async function checkExample(site, { origin }, browser) {
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
  await page.goto(`${site.origin}/?api=${origin}`);
  await page.getByLabel('E-mail').fill(SHOPPER.email);
  await page.getByLabel('Password').fill(SHOPPER.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  const lamp = (name) => page.locator('#products li').filter({ has: page.getByText(name, { exact: true }) });
  const status = page.locator('#status');
  await page.getByLabel('Category').fill('example');
  // A field has changed when it is left.
  await page.getByLabel('Category').press('Tab');
  await page.getByLabel('Sort').selectOption('price:asc');
  // Each of the two reads the list anew: what is typed before the last one is shown goes with the list.
  await page.locator('#products li').first().getByText('Lamp 3', { exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  await submit(lamp('Lamp 3'), 'order', 2);
  await status.getByText(/^Order \d+: 6\.00$/).waitFor();
  await submit(lamp('Lamp 3'), 'review', 4);
  await lamp('Lamp 3').getByText('★ 4').waitFor();
  // 412: somebody else has changed it since it was read for the form.
  const read = page.waitForResponse((response) => response.ok() && /\/products\/\d+$/.test(response.url()));
  await lamp('Lamp 4').locator('.edit input').focus();
  const { id } = await (await read).json();
  await admin.products.update(id, () => ({ price: 4.5 }));
  await submit(lamp('Lamp 4'), 'edit', 6);
  await status.getByText(/^Somebody else/).waitFor();
  await lamp('Lamp 4').getByText('4.50').waitFor();
  return [
    { name: 'the example takes an order, a review and a conflict', failure: faults.join('\n') || undefined },
  ];
}

async function submit(item, form, value) {
  await item.locator(`.${form} input`).fill(String(value));
  await item.locator(`.${form} button`).click();
}
