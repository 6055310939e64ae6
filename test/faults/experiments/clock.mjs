import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { send } from '../lib/http.mjs';
import { sleep, until } from '../lib/waiting.mjs';

/** libfaketime, in the folder of whichever architecture. */
function libraryPath() {
  const folders = readdirSync('/usr/lib').map((name) => join('/usr/lib', name, 'faketime'));
  return folders.map((folder) => join(folder, 'libfaketimeMT.so.1')).find((path) => existsSync(path));
}

const HOUR = 3600;
const DAY = 24 * HOUR;
const CHANGES = [
  ['clock-back-8d', 'the wall clock set back 8 days (F10)', -8 * DAY],
  ['clock-forward-2h', 'the wall clock set forward 2 h', 2 * HOUR],
];

const LIMIT = 30;
const WINDOW_SECONDS = 5;
const LOGIN_WINDOW_SECONDS = 15 * 60;

/** F10: what is counted and what waits must not go by a clock that somebody sets. */
export default async function clock(lab) {
  const library = libraryPath();
  lab.need(library, 'libfaketime is not installed (Debian: apt-get install libfaketime)');
  const file = join(lab.folder(), 'clock');
  const shop = await lab.shop({
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: setTo(file, 0),
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    RATE_LIMIT: String(LIMIT),
    RATE_LIMIT_WINDOW: String(WINDOW_SECONDS),
    LOGIN_RATE_LIMIT: '2',
    ACCESS_TOKEN_TTL: '900',
  });
  for (const [name, did, seconds] of CHANGES) {
    await lab.row(name, did, async (row) => {
      setTo(file, 0);
      await shop.service.revive();
      await change(row, shop, () => setTo(file, seconds), seconds);
      row.takeService(shop.service);
      setTo(file, 0);
    });
  }
}

function setTo(file, seconds) {
  writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  return file;
}

async function change(row, shop, set, seconds) {
  // A window that the experiment before it has begun, or its clock, ends first.
  await until('the limit is that of a new window', async () => (await asked(shop)).status === 200);
  const login = await shop.login(shop.customers[2]);
  const apiKey = await createKey(shop, login);
  await exhaust(shop, shop.customers[0]);
  // From an address of their own: who logs in below comes from another one.
  const address = `198.51.100.${CHANGES.findIndex(([, , change]) => change === seconds) + 1}`;
  await until('failed logins are refused', async () => (await failToLogIn(shop, address)).status === 429);

  set();
  // Dates are written once a second.
  await until('the clock of the service has changed', async () => isAt(await dateOf(shop), seconds));
  await waitsSanely(row, shop);
  const { status, headers } = await failToLogIn(shop, address);
  const wait = Number(headers['retry-after']);
  row.check(status === 429, `the failed logins are forgotten: ${status}`);
  row.check(wait > 0 && wait <= LOGIN_WINDOW_SECONDS, `a failed login is told to wait ${wait} s`);
  await stillWorks(row, shop, { login, apiKey }, seconds);
}

const asked = (shop, customer = shop.customers[0]) =>
  shop.send('GET', '/api/v1/products?limit=1', { customer });

async function dateOf({ service }) {
  const { headers } = await send({ port: service.port, path: '/health/live' });
  return Date.parse(headers.date);
}

const isAt = (time, seconds) => Math.abs(time - (Date.now() + seconds * 1000)) < 60_000;

async function exhaust(shop, customer) {
  await until('the limit is reached', async () => (await asked(shop, customer)).status === 429, {
    everyMs: 0,
  });
}

/** Whoever waits as long as they are told to gets through. */
async function waitsSanely(row, shop) {
  // Those of the window before the change may be through with it already.
  const [before] = [await asked(shop)];
  const told = before.status === 429 ? [before] : [];
  await exhaust(shop, shop.customers[1]);
  told.push(await asked(shop, shop.customers[1]));
  for (const { headers } of told) {
    const wait = Number(headers['retry-after']);
    row.check(wait > 0 && wait <= WINDOW_SECONDS, `Retry-After: ${headers['retry-after']}`);
    const reset = Number(headers['x-ratelimit-reset']);
    row.check(reset >= 0 && reset <= WINDOW_SECONDS, `X-RateLimit-Reset: ${reset}`);
  }
  await sleep(WINDOW_SECONDS * 1000 + 200);
  for (const customer of shop.customers.slice(0, 2)) {
    const { status } = await asked(shop, customer);
    // Two hours later the tokens have expired: 401 says that the request was not one too many.
    row.check(status === 200 || status === 401, `after the wait: ${status}`);
  }
}

async function createKey(shop, { token }) {
  const body = { name: `clock ${Math.random()}`, permissions: ['read'] };
  const answer = await shop.send('POST', '/api/v1/api-keys', { token, body });
  if (answer.status !== 201) throw new Error(`API key: ${answer.status} ${answer.text}`);
  return answer.json.key;
}

function failToLogIn(shop, address) {
  const body = { email: `nobody-${address}@example.com`, password: 'wrong on purpose' };
  return shop.send('POST', '/api/v1/login', { token: null, body, headers: { 'x-forwarded-for': address } });
}

/** Sessions, keys and refresh tokens outlive the change; an access token is valid until its time has come. */
async function stillWorks(row, shop, { login, apiKey }, seconds) {
  const get = (headers) => shop.send('GET', '/api/v1/products?limit=1', { token: null, headers });
  const session = await get({ cookie: `session_id=${login.sessionId}` });
  row.check(session.status === 200, `the session: ${session.status} ${session.text}`);
  const key = await get({ 'x-api-key': apiKey });
  row.check(key.status === 200, `the API key: ${key.status} ${key.text}`);
  const token = await get({ authorization: `Bearer ${login.token}` });
  const isExpired = seconds > 900;
  row.check(token.status === (isExpired ? 401 : 200), `the access token: ${token.status} ${token.text}`);
  const headers = { cookie: `refresh_token=${login.refreshToken}` };
  const refreshed = await shop.send('POST', '/api/v1/auth/refresh', { token: null, headers });
  row.check(refreshed.status === 200, `the refresh token: ${refreshed.status} ${refreshed.text}`);
  const next = await get({ authorization: `Bearer ${refreshed.json?.accessToken}` });
  row.check(next.status === 200, `the new access token: ${next.status} ${next.text}`);
}
