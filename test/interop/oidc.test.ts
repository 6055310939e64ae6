import { createHmac } from 'node:crypto';

import { JWTPayload } from 'jose';

import { Answer } from '../support/client.js';
import { IssuerServer } from '../support/oidc-issuer.js';
import { OwnApp, startInProcess } from '../support/own-app.js';
import { expectError } from '../support/raw-http.js';
import { Credentials } from '../support/users.js';
import { OidcModule } from '../examples/oidc/oidc.module.js';

const PRODUCTS = '/api/v1/products';
const LAMP = { name: 'Lamp', price: 1, category: 'c' };

describe('a fifth scheme is one file and one line: OpenID Connect', () => {
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
    'takes its tokens, signed with %s, for the user they name',
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

  it('and what grants add and take away', async () => {
    const admin = await app.as('admin');
    const product = (await admin.post(PRODUCTS, LAMP)).body as { id: number };
    const grant = {
      resourceType: 'product',
      resourceId: product.id,
      userId: editor.id,
      permissions: ['read'],
      effect: 'deny',
    };
    expect((await admin.post('/api/v1/access-grants', grant)).status).toBe(201);
    const headers = bearer(await issuer.token(editor.email));
    expectError(await app.anonymous.get(`${PRODUCTS}/${product.id}`, headers), 403, 'PERMISSION_DENIED');
  });

  it('leaves the tokens of the service, and the other schemes, as they are', async () => {
    const own = await app.as('viewer');
    expect((await own.get('/api/v1/users/me')).status).toBe(200);
    const { email, password } = await app.user('viewer');
    const basic = { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` };
    expect((await app.anonymous.get('/api/v1/users/me', basic)).status).toBe(200);
    expectError(await read('no.token.atall'), 401, 'INVALID_TOKEN');
  });

  it('is counted as the user that it names', async () => {
    const limited = await start(0, { RATE_LIMIT: '5', RATE_LIMIT_WINDOW: '60' });
    try {
      const user = await limited.user('viewer');
      const { email, password } = user;
      const own = await limited.anonymous.post('/api/v1/login', { email, password });
      const { accessToken } = own.body as { accessToken: string };
      const left = async (token: string): Promise<string | null> =>
        (await limited.anonymous.get(PRODUCTS, bearer(token))).headers.get('x-ratelimit-remaining');
      expect(await left(accessToken)).toBe('4');
      expect(await left(await issuer.token(email))).toBe('3');
    } finally {
      await limited.stop();
    }
  });

  it.each<[string, () => JWTPayload]>([
    ['for another audience', () => ({ aud: 'somebody else' })],
    ['without a subject', () => ({ sub: undefined })],
    ['without an expiry', () => ({ exp: undefined })],
    ['not valid yet, by more than clocks differ', () => ({ nbf: nowSeconds() + 120 })],
    ['whose e-mail is not verified', () => ({ email_verified: false })],
    ['of somebody who is no user', () => ({ email: 'nobody@example.com' })],
  ])('refuses a token %s', async (_name, claims) => {
    const answer = await read(tokenWith(claims()));
    expectError(answer, 401, 'INVALID_TOKEN');
    expect(answer.headers.get('www-authenticate')).toMatch(
      /^Bearer realm="(.+?)", error="invalid_token", error_description="[^"]+", Basic realm="\1"/,
    );
  });

  it('lets clocks differ by half a minute', async () => {
    expect((await read(tokenWith({ exp: nowSeconds() - 20 }))).status).toBe(200);
    expect((await read(tokenWith({ nbf: nowSeconds() + 20 }))).status).toBe(200);
    expectError(await read(tokenWith({ exp: nowSeconds() - 40 })), 401, 'TOKEN_EXPIRED');
  });

  it('refuses tokens that somebody else signed in its name', async () => {
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

  it('follows when the issuer changes its key, and forgets the keys that it takes away', async () => {
    const old = await issuer.token(editor.email);
    await issuer.rotate('ES256', { keep: false });
    expect((await read(issuer.token(editor.email, { jti: 'new' }))).status).toBe(200);
    expectError(await read(old), 401, 'INVALID_TOKEN');
  });

  it('asks the issuer once in a while at most, whatever key ids are made up', async () => {
    const patient = await start(60_000);
    try {
      const { email } = await patient.user('viewer');
      const send = async (kid?: string): Promise<number> =>
        (
          await patient.anonymous.get(
            '/api/v1/users/me',
            bearer(await issuer.token(email, {}, { ...(kid && { kid }) })),
          )
        ).status;
      expect(await send()).toBe(200);
      const { fetches } = issuer;
      for (let i = 0; i < 5; i++) expect(await send(`made up ${i}`)).toBe(401);
      expect(await send()).toBe(200);
      expect(issuer.fetches).toBe(fetches);
    } finally {
      await patient.stop();
    }
  });

  it('answers 503 while the issuer is away and its keys are not known, and goes on with those that are', async () => {
    const other = await start(0);
    try {
      const { email } = await other.user('viewer');
      const send = async (claims: JWTPayload = {}): Promise<Answer> =>
        other.anonymous.get('/api/v1/users/me', bearer(await issuer.token(email, claims)));
      for (const fail of [() => issuer.stop(), () => Promise.resolve((issuer.isBroken = true))]) {
        await fail();
        const refused = await send();
        expectError(refused, 503, 'ISSUER_UNAVAILABLE');
        expect(refused.headers.get('retry-after')).toBe('5');
        if (!issuer.isBroken) await issuer.listen();
      }
      issuer.isBroken = false;
      expect((await send()).status).toBe(200);
      await issuer.stop();
      expect((await send({ jti: 'another' })).status).toBe(200);
    } finally {
      await other.stop();
      await issuer.listen();
    }
  });

  it('refuses writes of a user who was deleted, though the token was verified before', async () => {
    const gone = await app.user('editor');
    const headers = bearer(await issuer.token(gone.email));
    expect((await app.anonymous.post(PRODUCTS, LAMP, headers)).status).toBe(201);
    const admin = await app.as('admin');
    expect((await admin.delete(`/api/v1/users/${gone.id}`)).status).toBe(204);
    expectError(await app.anonymous.post(PRODUCTS, LAMP, headers), 401, 'INVALID_TOKEN');
  });

  it('is in the document, for Authorize and for every operation that takes credentials', async () => {
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

  it('is kept from shared caches, while what callers without credentials see is not', async () => {
    const id = ((await (await app.as('admin')).post(PRODUCTS, LAMP)).body as { id: number }).id;
    const cached = async (headers = {}): Promise<(string | null)[]> => {
      const answer = await app.anonymous.get(`${PRODUCTS}/${id}`, headers);
      return [answer.headers.get('cache-control'), answer.headers.get('vary')];
    };
    const vary = 'Accept, Authorization, Cookie, X-API-Key';
    expect(await cached()).toEqual(['public, max-age=30, must-revalidate', vary]);
    const token = await issuer.token(editor.email);
    expect(await cached(bearer(token))).toEqual(['private, max-age=30, must-revalidate', vary]);
  });
});
