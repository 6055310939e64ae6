import { errorOf } from '@plinth/dev/testing';

import { startApp, useApp } from '../../support/app.js';
import { cookieOf, cookiesOf } from '../../support/cookies.js';

const PRODUCTS = '/api/v1/products';
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

describe('a session cookie that is no longer valid', () => {
  const app = useApp({ ANONYMOUS_ROLE: 'viewer' });
  const endedSession = async (): Promise<string> => {
    const { email, password } = await app.user('viewer');
    const cookie = `session_id=${cookieOf(await app.anonymous.post('/login', { email, password }), 'session_id')}`;
    expect((await app.anonymous.post('/api/v1/logout', undefined, { cookie })).status).toBe(204);
    return cookie;
  };

  it.each<[string, string, object | undefined]>([
    ['GET', PRODUCTS, undefined],
    ['HEAD', `${PRODUCTS}/1`, undefined],
    ['GET', '/api/v1/users/me', undefined],
    ['POST', PRODUCTS, { name: 'A', price: 1, category: 'b' }],
    ['POST', '/api/v1/users', { email: 'registers@example.com', password: 'a password of the tests' }],
  ])(
    'is cleared by the 401 of %s %s, so that the page can continue without it',
    async (method, path, body) => {
      const cookie = await endedSession();
      const answer = await app.anonymous.request(method, path, { headers: { cookie, ...OWN_PAGE }, body });
      expect(answer.status).toBe(401);
      const { session_id: cleared } = cookiesOf(answer);
      expect(cleared?.value).toBe('');
      expect(cleared?.attributes).toEqual(
        expect.arrayContaining(['Max-Age=0', 'Path=/', 'HttpOnly', 'Secure']),
      );
      expect((await app.anonymous.get(PRODUCTS)).status).toBe(200);
    },
  );

  it.each([
    ['a malformed value', 'session_id=x'],
    ['an empty value', 'session_id='],
    ['two cookies', `session_id=${'a'.repeat(43)}; session_id=${'b'.repeat(43)}`],
  ])('is cleared if it has %s', async (_name, cookie) => {
    const answer = await app.anonymous.get(PRODUCTS, { cookie });
    expect([errorOf(answer), Object.keys(cookiesOf(answer))]).toEqual([
      '401 INVALID_SESSION',
      ['session_id'],
    ]);
  });

  it('is kept if another credential was refused', async () => {
    const answer = await app.anonymous.get(PRODUCTS, {
      authorization: 'Bearer x.y.z',
      cookie: `session_id=${'a'.repeat(43)}`,
    });
    expect([errorOf(answer), cookiesOf(answer)]).toEqual(['401 INVALID_TOKEN', {}]);
  });
});

describe('the routes that need no credential but a cookie', () => {
  const app = useApp({ CORS_ORIGINS: 'https://app.example.com' });
  const own = (): string => app.baseUrl;

  it.each(['/auth/refresh', '/api/v1/auth/refresh', '/api/v2/auth/refresh', '/api/v1/logout'])(
    'refuse pages of other origins: POST %s',
    async (path) => {
      const { email, password } = await app.user('viewer');
      const login = await app.anonymous.post('/login', { email, password });
      const cookie = `refresh_token=${cookieOf(login, 'refresh_token')}; session_id=${cookieOf(login, 'session_id')}`;
      for (const from of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: `${own()}.evil.example` },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site', origin: own() },
      ]) {
        const answer = await app.anonymous.post(path, undefined, { cookie, ...from } as Record<
          string,
          string
        >);
        expect([from, errorOf(answer), cookiesOf(answer)]).toEqual([from, '403 CROSS_ORIGIN_REJECTED', {}]);
      }
      // The refused requests ended and exchanged nothing.
      const answer = await app.anonymous.post('/auth/refresh', undefined, { cookie });
      expect(answer.status).toBe(200);
    },
  );

  it.each<[string, Record<string, string>]>([
    ['a page of the same origin', { 'sec-fetch-site': 'same-origin' }],
    ['a page of an allowed origin', { origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' }],
    ['a client that is not a browser', {}],
  ])('accept a request from %s', async (_name, from) => {
    const { email, password } = await app.user('viewer');
    const login = await app.anonymous.post('/login', { email, password });
    const cookie = `refresh_token=${cookieOf(login, 'refresh_token')}`;
    const refreshed = await app.anonymous.post('/auth/refresh', undefined, { cookie, ...from });
    expect(refreshed.status).toBe(200);
    const next = `refresh_token=${cookieOf(refreshed, 'refresh_token')}`;
    expect((await app.anonymous.post('/api/v1/logout', undefined, { cookie: next, ...from })).status).toBe(
      204,
    );
  });
});

it('the cookie of another application is neither read nor cleared', async () => {
  const app = await startApp();
  try {
    const answer = await app.anonymous.get(PRODUCTS, { cookie: 'other=1; session_identity=2' });
    expect([errorOf(answer), cookiesOf(answer)]).toEqual(['401 AUTHENTICATION_REQUIRED', {}]);
  } finally {
    await app.stop();
  }
});
