import { Client, eventually } from '@plinth/dev/testing';
import jwt from 'jsonwebtoken';

import { PRODUCT } from '../../packages/core/src/config/product.js';
import { startApp, TestApp, useApp } from '../support/app.js';
import { expectError } from '../support/raw-http.js';

const PRODUCTS = '/api/v1/products';
const SECRET = 'the-first-secret-of-at-least-32-bytes!';

interface Credentials {
  email: string;
  password: string;
}

const bearer = (on: TestApp, token: string): Client =>
  on.anonymous.with({ authorization: `Bearer ${token}` });
const tokenOf = async (on: TestApp, { email, password }: Credentials): Promise<string> =>
  ((await on.anonymous.post('/api/v1/login', { email, password })).body as { accessToken: string })
    .accessToken;

const app = useApp({ JWT_SECRET: SECRET });

describe('an access token', () => {
  const decode = (token: string): { header: Record<string, unknown>; payload: Record<string, unknown> } =>
    jwt.decode(token, { complete: true }) as never;

  it('holds the claims of the contract and no others', async () => {
    const { id, email, password } = await app.user('admin');
    const accessToken = await tokenOf(app, { email, password });
    const { header, payload } = decode(accessToken);
    expect(header).toEqual({ alg: 'HS256', typ: 'at+jwt', kid: expect.stringMatching(/./) });
    expect(payload).toEqual({
      user_id: id,
      role: 'admin',
      iss: PRODUCT.issuer,
      aud: PRODUCT.audience,
      iat: expect.any(Number),
      exp: (payload['iat'] as number) + 900,
      jti: expect.stringMatching(/^.{16,}$/),
      sid: expect.stringMatching(/^\d+$/),
    });
    expect(Math.abs((payload['iat'] as number) - Date.now() / 1000)).toBeLessThan(5);
    expect((await app.anonymous.get('/.well-known/jwks.json')).body).toEqual({ keys: [] });
  });

  it('is refused as a refresh token', async () => {
    const cookie = `refresh_token=${await tokenOf(app, await app.user('viewer'))}`;
    expectError(await app.anonymous.post('/auth/refresh', undefined, { cookie }), 401, 'INVALID_TOKEN');
  });

  it('expires even if it has been used before', async () => {
    const brief = await startApp({ ACCESS_TOKEN_TTL: '3' });
    try {
      const { email, password } = await brief.user('viewer');
      const accessToken = await tokenOf(brief, { email, password });
      const used = bearer(brief, accessToken);
      expect((await used.get(PRODUCTS)).status).toBe(200);
      const unused = await tokenOf(brief, { email, password });
      const last = bearer(brief, await tokenOf(brief, { email, password }));
      await eventually(async () => (await last.get(PRODUCTS)).status, 401, 60_000);
      for (const client of [used, used, bearer(brief, unused)]) {
        const answer = await client.get(PRODUCTS);
        expectError(answer, 401, 'TOKEN_EXPIRED');
        expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
      }
    } finally {
      await brief.stop();
    }
  });
});
