/**
 * `npm run docs:check`: opens /docs and /reference of a freshly started service in Chromium and uses them as a reader
 * would: both versions, each scheme, requests, search; on a desktop and a phone, light and dark. Fails on anything in
 * the console, on any request that leaves the server, and on what axe-core finds serious. The data is that of `npm run
 * seed -- --demo`. Takes the Chromium of `CHROMIUM` or /usr/bin/chromium, and leaves pictures in a temporary folder.
 */
import './lib/node-version.mjs';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { named, openBrowser } from './lib/docs-browser.mjs';
import { checkReference } from './lib/docs-reference.mjs';
import { checkSwagger } from './lib/docs-swagger.mjs';
import { startOwnService } from './lib/own-service.mjs';
import { inRoot } from './lib/paths.mjs';
import { runNode } from './lib/run.mjs';

const EMAIL = 'ada@example.com';
const PASSWORD = 'only for this check';

await ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'service-docs-'));
const service = await startOwnService();
try {
  await seedDemo();
  const origin = named(service.origin);
  const browser = await openBrowser(origin);
  try {
    const picture = (page, name) => page.screenshot({ path: join(folder, `${name}.png`) });
    const means = { browser, origin, picture };
    await checkSwagger({ ...means, credentials: await credentials() });
    await checkReference(means);
  } finally {
    await browser.close();
  }
  console.log(`The docs are in order. Pictures: ${folder}`);
} catch (error) {
  console.error(error, `\nPictures: ${folder}`);
  process.exitCode = 1;
} finally {
  await service.stop();
}

async function seedDemo() {
  const passwordFile = join(service.dataDir, 'password-of-the-check');
  writeFileSync(passwordFile, PASSWORD, { mode: 0o600 });
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: service.dataDir };
  const seed = [inRoot('dist/tools/seed/seed.js'), '--demo', '--password-file', passwordFile];
  const { code, output } = await runNode(seed, { quiet: true, env });
  if (code !== 0) throw new Error(output);
}

/** What is typed into the form of each scheme, in the order of the forms. */
async function credentials() {
  const login = await post('/login', { email: EMAIL, password: PASSWORD });
  const { accessToken } = await login.json();
  const [, session] = /session_id=([^;]+)/.exec(login.headers.getSetCookie().join()) ?? [];
  const body = { name: 'Check', permissions: ['read'] };
  const { key } = await (await post('/api-keys', body, { authorization: `Bearer ${accessToken}` })).json();
  return { bearer: [accessToken], basic: [EMAIL, PASSWORD], apiKey: [key], session: [session] };
}

async function post(path, body, headers = {}) {
  const response = await fetch(`${service.origin}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return response;
}
