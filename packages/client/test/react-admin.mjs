import { copyFileSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { inRoot, TSC } from '../../../scripts/lib/paths.mjs';
import { run, runNode } from '../../../scripts/lib/run.mjs';
import { createClient, token } from '../../../client/dist/esm/index.js';
import { ADMIN } from '../../../scripts/lib/own-service.mjs';
import { checkContract } from './react-admin.contract.mjs';
import { checkPages } from './react-admin.pages.mjs';

const EXAMPLE = inRoot('client/examples/react-admin');

/** Installs, compiles and opens the admin pages, and tests their data provider and the pages in Chromium. */
export async function checkReactAdmin(site, { origin }, browser) {
  await install();
  const { code, output } = await runNode([TSC, '-p', '.'], { quiet: true, cwd: EXAMPLE });
  if (code !== 0) throw new Error(output);
  copyFileSync(join(EXAMPLE, 'public/index.html'), join(site.folder, 'index.html'));
  await build({
    entryPoints: [join(EXAMPLE, 'src/main.tsx')],
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    conditions: ['@plinth/source'],
    define: { 'process.env.NODE_ENV': '"production"' },
    outfile: join(site.folder, 'main.js'),
  });
  const api = createClient({ baseUrl: origin, version: 'v2', auth: token(ADMIN), retries: 20 });
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
  page.setDefaultTimeout(60_000);
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(`${site.origin}/?api=${origin}#/login`);
  await page.getByLabel(/Username/).fill(ADMIN.email);
  await page.getByLabel(/Password/).fill(ADMIN.password);
  await page.getByRole('button', { name: /sign in/i }).click();
  await page.waitForURL(/#\/products/);
  const results = [
    ...(await checkContract(page, api)),
    ...(await checkPages(page, api, site.origin, origin)),
  ];
  results.push({ name: 'react-admin: no page throws an error', failure: faults.join('\n') || undefined });
  await page.close();
  return results;
}

/** Installs the packages of the example in its folder, with its own lock file, because nothing else needs them. */
async function install() {
  const [wanted, present] = ['package-lock.json', 'node_modules/.package-lock.json'].map((name) =>
    join(EXAMPLE, name),
  );
  if (existsSync(present) && statSync(present).mtimeMs >= statSync(wanted).mtimeMs) return;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  const { code, output } = await run('npm', args, { quiet: true, cwd: EXAMPLE });
  if (code !== 0) throw new Error(`the packages of the example cannot be installed:\n${output}`);
}
