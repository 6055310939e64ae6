import { ADMIN } from './own-service.mjs';

/**
 * Two tabs that share a refresh cookie, whose access tokens expire at the same time: a refresh token that is used twice
 * would end the login of both. Resolves to `[{ name, failure }]`.
 */
export async function checkTabs({ site, proxy, browser }) {
  const context = await browser.newContext();
  try {
    const tabs = await Promise.all([1, 2].map(() => openTab(context, site, proxy)));
    await tabs[0].evaluate((admin) => globalThis.client.login(admin), ADMIN);
    for (let round = 0; round < 2; round++) {
      await Promise.all(
        tabs.map((tab, index) =>
          tab.evaluate(
            async (fault) => (await globalThis.client.users.me({ headers: { 'X-Fault': fault } })).status,
            `tab-${index}-${round} expired 1`,
          ),
        ),
      );
    }
    return [{ name: 'two tabs refresh one after the other' }];
  } finally {
    await context.close();
  }
}

async function openTab(context, site, proxy) {
  const tab = await context.newPage();
  await tab.goto(`${site.origin}/suites.html`);
  await tab.waitForFunction('globalThis.library !== undefined');
  await tab.evaluate((baseUrl) => {
    const { createClient, token } = globalThis.library;
    globalThis.client = createClient({ baseUrl, auth: token() });
  }, proxy.origin);
  return tab;
}
