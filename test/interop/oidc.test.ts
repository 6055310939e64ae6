import { createHmac } from 'node:crypto';

import { Answer } from '@plinth/dev/testing';
import { JWTPayload } from 'jose';

import { IssuerServer } from '../support/oidc-issuer.js';
import { OwnApp, startInProcess } from '../support/own-app.js';
import { expectError } from '../support/raw-http.js';
import { Credentials } from '../support/users.js';
import { OidcModule } from '../../packages/core/test/examples/oidc/oidc.module.js';

const PRODUCTS = '/api/v1/products';
const LAMP = { name: 'Lamp', price: 1, category: 'c' };

describe('OpenID Connect, a fifth scheme in one file and one line', () => {
  let issuer: IssuerServer;
  let app: OwnApp;
  let editor: Credentials;

  const start = (cooldownMs: number, settings = {}): Promise<OwnApp> => {
    const { url, jwksUrl } = issuer;
    const module = OidcModule.for({ issuer: url, audience: 'the-service', jwksUrl, cooldownMs });
    return startInProcess({ ANONYMOUS_ROLE: 'viewer', ...settings }, undefined, [module]);
  };

  beforeAll(async () => {
    issuer = await IssuerServer.start();
    app = await start(0);
    editor = await app.user('editor');
  });
  afterAll(async () => {
    await app.stop();
    await issuer.stop();
  });

  const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
  const read = async (token: string | Promise<string>): Promise<Answer> =>
    app.anonymous.get('/api/v1/users/me', bearer(await token));
  const tokenWith = (claims: JWTPayload): Promise<string> => issuer.token(editor.email, claims);
  const nowSeconds = (): number => Math.floor(Date.now() / 1000);

  it.each(['RS256', 'ES256'] as const)(
    'accepts tokens that are signed with %s, for the user that they name',
    async (alg) => {
      await issuer.rotate(alg);
      const answer = await read(issuer.token(editor.email));
      expect([answer.status, (answer.body as { id: number }).id]).toEqual([200, editor.id]);
      const upperCase = await read(issuer.token(editor.email.toUpperCase()));
      expect((upperCase.body as { id: number }).id).toBe(editor.id);
    },
  );

  it('gives the user the permissions of their role', async () => {
    const headers = bearer(await issuer.token(editor.email));
    const created = await app.anonymous.post(PRODUCTS, LAMP, headers);
    expect(created.status).toBe(201);
    const path = created.headers.get('location') ?? '';
    expectError(await app.anonymous.delete(path, headers), 403, 'PERMISSION_DENIED');
  });

  it('leaves the tokens of the service and the other schemes unchanged', async () => {
    const own = await app.as('viewer');
    expect((await own.get('/api/v1/users/me')).status).toBe(200);
    const { email, password } = await app.user('viewer');
    const basic = { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` };
    expect((await app.anonymous.get('/api/v1/users/me', basic)).status).toBe(200);
    expectError(await read('no.token.atall'), 401, 'INVALID_TOKEN');
  });

  it.each<[string, () => JWTPayload]>([
    ['for another audience', () => ({ aud: 'somebody else' })],
    ['without a subject', () => ({ sub: undefined })],
    ['without an expiry', () => ({ exp: undefined })],
    ['that is not valid yet, beyond the tolerance of clocks', () => ({ nbf: nowSeconds() + 120 })],
    ['whose e-mail is not verified', () => ({ email_verified: false })],
    ['of somebody who is not a user', () => ({ email: 'nobody@example.com' })],
  ])('refuses a token %s', async (_name, claims) => {
    const answer = await read(tokenWith(claims()));
    expectError(answer, 401, 'INVALID_TOKEN');
    expect(answer.headers.get('www-authenticate')).toMatch(
      /^Bearer realm="(.+?)", error="invalid_token", error_description="[^"]+", Basic realm="\1"/,
    );
  });

  it('refuses tokens that somebody else signed in the name of the issuer', async () => {
    const other = await IssuerServer.start();
    try {
      const forged = await other.token(editor.email, { iss: issuer.url });
      expectError(await read(forged), 401, 'INVALID_TOKEN');
      const [, payload = ''] = (await issuer.token(editor.email)).split('.');
      const header = (alg: string): string => Buffer.from(JSON.stringify({ alg })).toString('base64url');
      expectError(await read(`${header('none')}.${payload}.`), 401, 'INVALID_TOKEN');
      const signed = `${header('HS256')}.${payload}`;
      const signature = createHmac('sha256', 'a public key, say').update(signed).digest('base64url');
      expectError(await read(`${signed}.${signature}`), 401, 'INVALID_TOKEN');
    } finally {
      await other.stop();
    }
  });

  it('uses new keys of the issuer, and forgets keys that the issuer removes', async () => {
    const old = await issuer.token(editor.email);
    await issuer.rotate('ES256', { keep: false });
    expect((await read(issuer.token(editor.email, { jti: 'new' }))).status).toBe(200);
    expectError(await read(old), 401, 'INVALID_TOKEN');
  });

  it('is documented for Authorize and for every operation with credentials', async () => {
    const document = (await app.anonymous.get('/docs/openapi.json')).body as {
      components: { securitySchemes: Record<string, object> };
      paths: Record<string, Record<string, { security?: object[]; responses: Record<string, object> }>>;
    };
    expect(Object.keys(document.components.securitySchemes)).toEqual([
      'bearer',
      'oidc',
      'basic',
      'apiKey',
      'session',
    ]);
    const { security, responses } = document.paths[PRODUCTS]!['get']!;
    expect(security).toContainEqual({ oidc: [] });
    expect(JSON.stringify([responses, document.components])).toContain('ISSUER_UNAVAILABLE');
  });
});
