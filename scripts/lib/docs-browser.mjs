import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { launchChromium } from './chromium.mjs';
import { inRoot } from './paths.mjs';
import { patience } from './patience.mjs';

const PATIENCE_MS = 30_000 * (await patience());
/** A name that is not the machine's own: on `localhost` Swagger UI leaves out what it does elsewhere. */
const NAME = 'service.test';

export const DESKTOP = { width: 1280, height: 1400 };
export const PHONE = { width: 390, height: 844 };

/** The address of a service under the name that the browser knows it by. */
export const named = (origin) => origin.replace('127.0.0.1', NAME);

/** Chromium, without a way out of this machine. @param origin by its name */
export const openBrowser = (origin) =>
  launchChromium(
    '--disable-quic',
    `--host-resolver-rules=MAP ${NAME} 127.0.0.1, EXCLUDE 127.0.0.1, MAP * ~NOTFOUND`,
    // Else Chromium complains that plain HTTP deserves no isolation, which is so in development alone.
    `--unsafely-treat-insecure-origin-as-secure=${origin}`,
  );

/**
 * A page in a context of its own, without the cookies and settings of others. What it complains of, and where it asks
 * outside of `origin`, is in `complaints`.
 */
export async function openPage(browser, origin, { colorScheme = 'light', viewport = DESKTOP } = {}) {
  const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`page: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) complaints.push(`asks ${url}`);
  });
  return { page, complaints, close: () => context.close() };
}

const axe = readFileSync(inRoot('node_modules/axe-core/axe.min.js'), 'utf8');

/**
 * Asks axe-core what keeps people from using what the page shows now.
 *
 * @throws AssertionError that lists what is serious or critical
 */
export async function assertAccessible(page, where) {
  await settled(page);
  await page.evaluate(`globalThis.axe ?? (() => { ${axe} })()`);
  const violations = await page.evaluate(async () => {
    const found = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return found.violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.slice(0, 5).map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
  assert.deepEqual(violations, [], where);
}

/** Waits for transitions to end: until then a colour is between two, and its contrast is neither's. */
const settled = (page) =>
  page.evaluate(async () => {
    const isEnding = ({ effect }) => effect.getComputedTiming().endTime !== Infinity;
    let going;
    do {
      going = document.getAnimations().filter((each) => isEnding(each) && each.playState === 'running');
      await Promise.allSettled(going.map(({ finished }) => finished));
    } while (going.length > 0);
  });

/** Whether nothing sticks out of the page sideways. */
export async function assertFits(page, where) {
  const [wanted, there] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth];
  });
  assert(wanted <= there, `${where}: ${wanted} pixels wide on a screen of ${there}`);
}
