import { createHmac, createPublicKey, createSign, generateKeyPairSync, KeyObject, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ConfigService } from '@nestjs/config';

import { SigningKeys } from '../../../packages/core/src/sessions/signing-keys.js';
import { readConfig } from '../../../packages/core/src/config/read-config.js';
import { TestApp, useApp } from '../../support/app.js';

const PRODUCTS = '/api/v1/products';
const SECRET = 'a-secret-of-this-test-of-32-bytes-or-more';

const keysOf = (settings: Record<string, string>): SigningKeys =>
  new SigningKeys(new ConfigService(readConfig({ NODE_ENV: 'test', ...settings }, () => '')));

type Json = Record<string, unknown>;
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): Json => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json;
const hmac = (input: string, secret: string | Buffer, hash = 'sha256'): string =>
  createHmac(hash, secret).update(input).digest('base64url');

describe('access tokens', () => {
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

  describe.each([
    ['ES256', () => `${ecFile},${rsaFile}`, ec.publicKey],
    ['RS256', () => `${rsaFile},${ecFile}`, rsa.publicKey],
  ] as const)('signed with %s', (algorithm, files, publicKey) => {
    const app = useApp({ JWT_PRIVATE_KEY_FILES: files(), JWT_SECRET: SECRET });
    let token: string;
    let keys: Json[];

    beforeAll(async () => {
      token = await tokenOf(app);
      keys = ((await app.anonymous.get('/.well-known/jwks.json')).body as { keys: Json[] }).keys;
    });

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

    it('are refused if the public key was used as a secret, or the key for another algorithm', async () => {
      const [header, claims] = token.split('.', 2).map(decode) as [Json, Json];
      const pem = publicKey.export({ type: 'spki', format: 'pem' });
      const input = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`;
      expect((await show(app, `${input}.${hmac(input, pem as Buffer)}`)).status).toBe(401);
      const swapped = `${encode({ ...header, alg: 'RS256', kid: keys.find(({ alg }) => alg === 'ES256')!['kid'] })}.${encode(claims)}`;
      const signature = createSign('sha256').update(swapped).sign(rsa.privateKey, 'base64url');
      expect((await show(app, `${swapped}.${signature}`)).status).toBe(401);
    });

    it('are accepted if they were signed with the former secret', async () => {
      const secret = keysOf({ JWT_SECRET: SECRET }).all[0]!;
      const input = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: secret.id })}.${token.split('.')[1]!}`;
      expect((await show(app, `${input}.${hmac(input, SECRET)}`)).status).toBe(200);
    });
  });

  it('stop the start if their key is weak, of another kind or missing', () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
    const other = generateKeyPairSync('ed25519').privateKey;
    for (const path of [file('weak.pem', weak), file('other.pem', other), join(directory, 'none.pem')]) {
      expect(() => keysOf({ JWT_PRIVATE_KEY_FILES: path })).toThrow(/^JWT_PRIVATE_KEY_FILES: /);
    }
  });
});
