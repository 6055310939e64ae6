import { createHmac, createPublicKey, createSign, generateKeyPairSync, KeyObject, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ConfigService } from '@nestjs/config';

import { PRODUCT } from '../../../src/core/config/product.js';
import { SigningKeys } from '../../../src/auth/tokens/signing-keys.js';
import { readConfig } from '../../../src/core/config/read-config.js';
import { startApp, TestApp } from '../../support/app.js';
import { describeWithOwnService } from '../../support/needs.js';

const PRODUCTS = '/api/v1/products';
const SECRET = 'a-secret-of-this-test-of-32-bytes-or-more';
const OLD_SECRET = 'the-secret-before-it-of-32-bytes-or-more';

const keysOf = (settings: Record<string, string>): SigningKeys =>
  new SigningKeys(new ConfigService(readConfig({ NODE_ENV: 'test', ...settings }, () => '')));

type Json = Record<string, unknown>;
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): Json => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json;
const hmac = (input: string, secret: string | Buffer, hash = 'sha256'): string =>
  createHmac(hash, secret).update(input).digest('base64url');

describeWithOwnService('access tokens', () => {
  const directory = mkdtempSync(join(tmpdir(), 'service-keys-'));
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const file = (name: string, key: KeyObject): string => {
    const path = join(directory, name);
    writeFileSync(path, key.export({ type: 'pkcs8', format: 'pem' }));
    return path;
  };
  const ecFile = file('ec.pem', ec.privateKey);
  const rsaFile = file('rsa.pem', rsa.privateKey);
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  const tokenOf = async (app: TestApp): Promise<string> => {
    const { email, password } = await app.user('admin');
    const login = await app.anonymous.post('/login', { email, password });
    return (login.body as { accessToken: string }).accessToken;
  };
  const show = (app: TestApp, token: string) =>
    app.anonymous.get(PRODUCTS, { authorization: `Bearer ${token}` });

  describe('signed with a secret', () => {
    let app: TestApp;
    let token: string;
    let header: Json;
    let claims: Json;
    const forge = (
      headers: Json,
      payload: unknown,
      secret: string | Buffer = SECRET,
      hash?: string,
    ): string => {
      const input = `${encode({ ...header, ...headers })}.${encode(payload)}`;
      return `${input}.${hmac(input, secret, hash)}`;
    };

    beforeAll(async () => {
      app = await startApp({ JWT_SECRET: `${SECRET},${OLD_SECRET}` });
      token = await tokenOf(app);
      [header, claims] = token.split('.', 2).map(decode) as [Json, Json];
    });
    afterAll(() => app.stop());

    it('carry the claims that are promised, and are good', async () => {
      expect(header).toEqual({ alg: 'HS256', typ: 'at+jwt', kid: expect.any(String) });
      expect(claims).toMatchObject({
        user_id: expect.any(Number),
        role: 'admin',
        iss: PRODUCT.issuer,
        aud: PRODUCT.audience,
      });
      expect(Object.keys(claims).sort()).toEqual([
        'aud',
        'exp',
        'iat',
        'iss',
        'jti',
        'role',
        'sid',
        'user_id',
      ]);
      expect(Number(claims['exp']) - Number(claims['iat'])).toBe(900);
      expect((await show(app, token)).status).toBe(200);
      expect((await show(app, forge({}, claims))).status).toBe(200);
      expect((await app.anonymous.get('/.well-known/jwks.json')).body).toEqual({ keys: [] });
    });

    it('are good under an older secret', async () => {
      const keys = keysOf({ JWT_SECRET: OLD_SECRET });
      expect((await show(app, forge({ kid: keys.first.id }, claims, OLD_SECRET))).status).toBe(200);
    });

    const now = Math.floor(Date.now() / 1000);
    it.each<[string, () => string]>([
      ['no signature', () => `${token.split('.', 2).join('.')}.`],
      ['alg none', () => `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`],
      ['HS512 by the same secret', () => forge({ alg: 'HS512' }, claims, SECRET, 'sha512')],
      ['another secret', () => forge({}, claims, 'x'.repeat(40))],
      ['no kid', () => forge({ kid: undefined }, claims)],
      ['an unknown kid', () => forge({ kid: 'x' }, claims)],
      ['kid __proto__', () => forge({ kid: '__proto__' }, claims)],
      [
        'an edited payload',
        () => [token.split('.')[0], encode({ ...claims, user_id: 999 }), token.split('.')[2]].join('.'),
      ],
      ['no exp', () => forge({}, { ...claims, exp: undefined })],
      ['exp as text', () => forge({}, { ...claims, exp: String(now + 900) })],
      ['a broken exp', () => forge({}, { ...claims, exp: now + 900.5 })],
      [
        'exp 1e400',
        () => {
          const input = `${encode(header)}.${Buffer.from(JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e400')).toString('base64url')}`;
          return `${input}.${hmac(input, SECRET)}`;
        },
      ],
      ['a past exp', () => forge({}, { ...claims, exp: now - 1 })],
      ['nbf to come', () => forge({}, { ...claims, nbf: now + 900 })],
      ['another aud', () => forge({}, { ...claims, aud: 'other' })],
      ['no aud', () => forge({}, { ...claims, aud: undefined })],
      ['another iss', () => forge({}, { ...claims, iss: 'other' })],
      ['an unknown role', () => forge({}, { ...claims, role: 'root' })],
      ['role constructor', () => forge({}, { ...claims, role: 'constructor' })],
      ['user_id as text', () => forge({}, { ...claims, user_id: '1' })],
      ['a user_id beyond all ids', () => forge({}, { ...claims, user_id: 3_000_000_000 })],
      ['a user_id of 0', () => forge({}, { ...claims, user_id: 0 })],
      ['an unknown crit', () => forge({ crit: ['exp'], exp: 1 }, claims)],
      ['another kind', () => forge({ typ: 'JWT' }, claims)],
      ['payload null', () => forge({}, null)],
      ['a payload of text', () => forge({}, 'claims')],
      ['a payload of an array', () => forge({}, [claims])],
      ['a header of null', () => `${encode(null)}.${encode(claims)}.x`],
      ['two parts', () => token.split('.', 2).join('.')],
      ['a refresh token', () => 'x'.repeat(43)],
      ['5,000 characters', () => 'x'.repeat(5000)],
    ])('are refused with %s', async (name, forged) => {
      const answer = await show(app, forged());
      const code = name === 'a past exp' ? 'TOKEN_EXPIRED' : 'INVALID_TOKEN';
      expect([answer.status, answer.body]).toMatchObject([401, { error: { code } }]);
    });

    it('are no refresh tokens', async () => {
      const answer = await app.anonymous.post('/auth/refresh', undefined, {
        cookie: `refresh_token=${token}`,
      });
      expect([answer.status, answer.body]).toMatchObject([401, { error: { code: 'INVALID_TOKEN' } }]);
    });
  });

  describe.each([
    ['ES256', () => `${ecFile},${rsaFile}`, ec.publicKey],
    ['RS256', () => `${rsaFile},${ecFile}`, rsa.publicKey],
  ] as const)('signed with %s', (algorithm, files, publicKey) => {
    let app: TestApp;
    let token: string;
    let keys: Json[];

    beforeAll(async () => {
      app = await startApp({ JWT_PRIVATE_KEY_FILES: files(), JWT_SECRET: SECRET });
      token = await tokenOf(app);
      keys = ((await app.anonymous.get('/.well-known/jwks.json')).body as { keys: Json[] }).keys;
    });
    afterAll(() => app.stop());

    it('are verified by others with the published key of their kid', async () => {
      const [header = '', claims = '', signature = ''] = token.split('.');
      expect(decode(header)['alg']).toBe(algorithm);
      expect(keys).toHaveLength(2);
      expect(JSON.stringify(keys)).not.toMatch(/"(d|p|q|k)":/);
      const jwk = keys.find(({ kid }) => kid === decode(header)['kid'])!;
      const key = createPublicKey({ key: jwk, format: 'jwk' });
      const isGood = verify(
        'sha256',
        Buffer.from(`${header}.${claims}`),
        { key, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      );
      expect(isGood).toBe(true);
      expect((await show(app, token)).status).toBe(200);
    });

    it('are refused where the public key is taken for a secret, or the key for another algorithm', async () => {
      const [header, claims] = token.split('.', 2).map(decode) as [Json, Json];
      const pem = publicKey.export({ type: 'spki', format: 'pem' });
      const input = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`;
      expect((await show(app, `${input}.${hmac(input, pem as Buffer)}`)).status).toBe(401);
      const swapped = `${encode({ ...header, alg: 'RS256', kid: keys.find(({ alg }) => alg === 'ES256')!['kid'] })}.${encode(claims)}`;
      const signature = createSign('sha256').update(swapped).sign(rsa.privateKey, 'base64url');
      expect((await show(app, `${swapped}.${signature}`)).status).toBe(401);
    });

    it('are good as well where they were signed with the secret before', async () => {
      const secret = keysOf({ JWT_SECRET: SECRET }).first;
      const input = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: secret.id })}.${token.split('.')[1]!}`;
      expect((await show(app, `${input}.${hmac(input, SECRET)}`)).status).toBe(200);
    });
  });

  it('take no weak key, no key of another kind, no file that is not there', () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
    const other = generateKeyPairSync('ed25519').privateKey;
    for (const path of [file('weak.pem', weak), file('other.pem', other), join(directory, 'none.pem')]) {
      expect(() => keysOf({ JWT_PRIVATE_KEY_FILES: path })).toThrow(/^JWT_PRIVATE_KEY_FILES: /);
    }
  });
});
