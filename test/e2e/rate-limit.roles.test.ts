import { Answer, Client } from '@plinth/dev/testing';
import { defineAccess } from '@plinth/core';

import { ACCESS } from '../../src/config/access.js';
import { OwnApp, startInProcess } from '../support/own-app.js';

const PRODUCTS = '/api/v1/products';

defineAccess({
  ...ACCESS,
  roles: { ...ACCESS.roles, editor: { ...ACCESS.roles.editor, rateLimit: 30 } },
});

const policy = ({ headers }: Answer): string | null => headers.get('ratelimit-policy');
const left = ({ headers }: Answer): number => Number(headers.get('x-ratelimit-remaining') ?? NaN);

describe('the rate limit of a role', () => {
  let app: OwnApp;
  let editor: Client;
  beforeAll(async () => {
    app = await startInProcess({ RATE_LIMIT: '6', RATE_LIMIT_WINDOW: '600', ANONYMOUS_ROLE: 'viewer' });
    editor = await app.as('editor');
  });
  afterAll(() => app.stop());

  it('is in the headers of its callers, and leaves the limit of others as it is', async () => {
    const answer = await editor.get(PRODUCTS);
    expect([policy(answer), answer.headers.get('x-ratelimit-limit')]).toEqual(['"default";q=30;w=600', '30']);
    const viewer = await app.as('viewer');
    expect(policy(await viewer.get(PRODUCTS))).toBe('"default";q=6;w=600');
    for (const remaining of [4, 3, 2, 1, 0]) expect(left(await viewer.get(PRODUCTS))).toBe(remaining);
    expect((await viewer.get(PRODUCTS)).status).toBe(429);
  });

  it('is shared by a user and their API keys, and ends with 429', async () => {
    const other = await app.as('editor');
    const created = await other.post('/api/v1/api-keys', { name: 'key' });
    const { key } = created.body as { key: string };
    const before = left(created);
    const byKey = await app.anonymous.get(PRODUCTS, { 'x-api-key': key });
    expect([policy(byKey), left(byKey)]).toEqual(['"default";q=30;w=600', before - 1]);
    for (let i = before - 2; i >= 0; i--) expect(left(await other.get(PRODUCTS))).toBe(i);
    const refused = await other.get(PRODUCTS);
    expect([refused.status, policy(refused)]).toEqual([429, '"default";q=30;w=600']);
  });

  it('lets more requests of an address pass before authentication', async () => {
    // The limit of the address would be 60 requests with RATE_LIMIT only.
    const clients = await Promise.all([1, 2, 3].map(() => app.as('editor')));
    const answers = await Promise.all(
      clients.flatMap((client) => Array.from({ length: 25 }, () => client.get(PRODUCTS))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('is that of ANONYMOUS_ROLE for callers without credentials', async () => {
    expect(policy(await app.anonymous.get(PRODUCTS))).toBe('"default";q=6;w=600');
  });
});
