import '../../src/config/access.js';
import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';

import { ConfigService } from '@nestjs/config';
import { FastifyRequest } from 'fastify';

import { PRODUCT } from '../../packages/core/src/config/product.js';
import { Principal } from '../../packages/core/src/access/principal.js';
import { Config } from '../../packages/core/src/config/config.js';
import { runStrategy } from '../../packages/core/src/access/schemes/authentication.js';
import { AccessTokens } from '../../packages/core/src/sessions/access-tokens.js';
import { SigningKeys } from '../../packages/core/src/sessions/signing-keys.js';
import { BearerStrategy } from '../../src/auth/strategies/bearer.strategy.js';

const SECRET = 'the-first-secret-of-more-than-32-bytes';
const OLD_SECRET = 'an-older-secret-of-more-than-32-bytes!';
const FOREIGN_SECRET = 'the-secret-of-somebody-else-of-32-bytes';

const configOf = (...secrets: string[]): ConfigService<Config, true> =>
  new ConfigService({ jwt: { secrets, privateKeyFiles: [], accessTokenTtlSeconds: 900 } });
const tokensOf = (...secrets: string[]): AccessTokens =>
  new AccessTokens(new SigningKeys(configOf(...secrets)), configOf(...secrets));
const strategy = new BearerStrategy(tokensOf(SECRET, OLD_SECRET));

const nowSeconds = (): number => Math.floor(Date.now() / 1000);
const kidOf = (secret: string): string =>
  createHash('sha256').update(`key id ${secret}`).digest('base64url').slice(0, 12);

const HEADER = { alg: 'HS256', typ: 'at+jwt', kid: kidOf(SECRET) };
const claims = (): Record<string, unknown> => ({
  user_id: 7,
  role: 'editor',
  iss: PRODUCT.issuer,
  aud: PRODUCT.audience,
  iat: nowSeconds(),
  exp: nowSeconds() + 900,
});

const encoded = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

/** Signs a token by hand. Text is used unchanged, so that any JSON can be written. */
function token(payload: unknown, header: unknown = HEADER, secret = SECRET, hash = 'sha256'): string {
  const signed = `${encoded(header)}.${encoded(payload)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`;
}

async function outcomeOf(authorization: string | undefined): Promise<Principal | 'refused'> {
  const request = { headers: { authorization } } as FastifyRequest;
  return (await runStrategy(strategy, request)).principal ?? 'refused';
}

const without = (...names: string[]): object =>
  Object.fromEntries(Object.entries(claims()).filter(([name]) => !names.includes(name)));
/** The claims as JSON, with `exp` written exactly as given. */
const withExp = (text: string): string =>
  JSON.stringify({ ...claims(), exp: 0 }).replace('"exp":0', `"exp":${text}`);

describe('a token of the service', () => {
  test('is accepted if it is signed by hand, so the forged ones below fail for their own reason', async () => {
    expect(await outcomeOf(`Bearer ${token(claims())}`)).toEqual({
      kind: 'user',
      userId: 7,
      keyId: null,
      loginId: null,
      role: 'editor',
      permissions: new Set(['create', 'read', 'update']),
      scheme: 'bearer',
      expiresAt: expect.any(Number) as number,
    });
  });

  test('is accepted as it is signed at login, for its time to live', async () => {
    const { accessToken, expiresIn } = tokensOf(SECRET).sign({ userId: 12, role: 'admin' }, 1);
    const request = { headers: { authorization: `Bearer ${accessToken}` } } as FastifyRequest;
    const { principal } = await runStrategy(strategy, request);
    expect(principal).toMatchObject({ userId: 12, role: 'admin' });
    expect(expiresIn).toBe(900);
    expect(Math.abs((principal?.expiresAt ?? 0) - Date.now() - 900_000)).toBeLessThan(5000);
  });

  test('is accepted if the second secret signed it, and names that secret', async () => {
    const { accessToken } = tokensOf(OLD_SECRET).sign({ userId: 3, role: 'viewer' }, 1);
    expect(await outcomeOf(`Bearer ${accessToken}`)).toMatchObject({ userId: 3, role: 'viewer' });
    const byHand = token(claims(), { ...HEADER, kid: kidOf(OLD_SECRET) }, OLD_SECRET);
    expect(await outcomeOf(`Bearer ${byHand}`)).toMatchObject({ userId: 7 });
  });

  test.each<[string, (good: string) => string]>([
    ['lower case', (good) => `bearer ${good}`],
    ['upper case', (good) => `BEARER ${good}`],
    ['front of several spaces', (good) => `Bearer   ${good}`],
  ])('is accepted with its scheme in %s', async (_name, header) => {
    expect(await outcomeOf(header(token(claims())))).toMatchObject({ userId: 7 });
  });

  test('is accepted for several audiences if one of them is the service', async () => {
    expect(await outcomeOf(`Bearer ${token({ ...claims(), aud: ['x', PRODUCT.audience] })}`)).toMatchObject({
      userId: 7,
    });
  });
});

const publicKeyTrick = (): string => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const signed = `${encoded({ ...HEADER, alg: 'RS256' })}.${encoded(claims())}`;
  expect(publicKey.type).toBe('public');
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
};

describe('a forged token', () => {
  const [head = '', body = '', signature = ''] = token(claims()).split('.');
  test.each<[string, () => string]>([
    ['alg none', () => token(claims(), { ...HEADER, alg: 'none' })],
    ['alg none without signature', () => `${encoded({ ...HEADER, alg: 'none' })}.${encoded(claims())}.`],
    ['no alg', () => token(claims(), { typ: HEADER.typ, kid: HEADER.kid })],
    ['HS384', () => token(claims(), { ...HEADER, alg: 'HS384' }, SECRET, 'sha384')],
    ['HS512', () => token(claims(), { ...HEADER, alg: 'HS512' }, SECRET, 'sha512')],
    ['RS256', publicKeyTrick],
    ['no signature', () => `${head}.${body}.`],
    ['no signature and no dot', () => `${head}.${body}`],
    ['a signature that lacks a byte', () => `${head}.${body}.${signature.slice(0, -2)}`],
    ['a payload that was edited', () => `${head}.${encoded({ ...claims(), role: 'admin' })}.${signature}`],
    ['a header that was edited', () => `${encoded({ ...HEADER, x: 1 })}.${body}.${signature}`],
    ['the secret of somebody else', () => token(claims(), HEADER, FOREIGN_SECRET)],
    [
      'the secret of somebody else under its own name',
      () => token(claims(), { ...HEADER, kid: kidOf(FOREIGN_SECRET) }, FOREIGN_SECRET),
    ],
    ['the older secret under the name of the first', () => token(claims(), HEADER, OLD_SECRET)],
    ['an empty secret', () => token(claims(), HEADER, '')],
    ['no kid', () => token(claims(), { alg: HEADER.alg, typ: HEADER.typ })],
    ['an unknown kid', () => token(claims(), { ...HEADER, kid: 'nobody' })],
    ['a kid that is a path', () => token(claims(), { ...HEADER, kid: '../../dev/null' }, '')],
    ['a kid that every object has', () => token(claims(), { ...HEADER, kid: '__proto__' })],
    ['a kid that is an object', () => token(claims(), { ...HEADER, kid: { a: 1 } })],
    ['the type of another token', () => token(claims(), { ...HEADER, typ: 'JWT' })],
    ['the type of a refresh token', () => token(claims(), { ...HEADER, typ: 'rt+jwt' })],
    ['no kind', () => token(claims(), { alg: HEADER.alg, kid: HEADER.kid })],
    ['an unknown crit', () => token(claims(), { ...HEADER, crit: ['exp2'], exp2: 1 })],
    ['crit b64', () => token(claims(), { ...HEADER, crit: ['b64'], b64: false })],
    ['an empty crit', () => token(claims(), { ...HEADER, crit: [] })],
    ['no exp', () => token(without('exp'))],
    ['exp as text', () => token({ ...claims(), exp: String(nowSeconds() + 900) })],
    ['exp of 1e400', () => token(withExp('1e400'))],
    ['exp of 1e300', () => token(withExp('1e300'))],
    ['exp as a fraction', () => token(withExp(`${nowSeconds() + 900}.5`))],
    ['exp true', () => token(withExp('true'))],
    ['exp as an object', () => token(withExp('{}'))],
    ['exp in the past', () => token({ ...claims(), exp: nowSeconds() - 1 })],
    ['exp of 0', () => token({ ...claims(), exp: 0 })],
    ['no iat', () => token(without('iat'))],
    ['iat as text', () => token({ ...claims(), iat: String(nowSeconds()) })],
    ['iat as a fraction', () => token({ ...claims(), iat: nowSeconds() - 0.5 })],
    ['iat more than a minute ahead', () => token({ ...claims(), iat: nowSeconds() + 70 })],
    ['not yet', () => token({ ...claims(), nbf: nowSeconds() + 600 })],
    ['nbf as text', () => token({ ...claims(), nbf: 'now' })],
    ['no iss', () => token(without('iss'))],
    ['another iss', () => token({ ...claims(), iss: `${PRODUCT.issuer}2` })],
    ['iss as a list', () => token({ ...claims(), iss: [PRODUCT.issuer, 'x'] })],
    ['no aud', () => token(without('aud'))],
    ['another aud', () => token({ ...claims(), aud: PRODUCT.issuer })],
    ['aud as an object', () => token({ ...claims(), aud: { [PRODUCT.audience]: 1 } })],
    ['no user', () => token(without('user_id'))],
    ['a user as text', () => token({ ...claims(), user_id: '7' })],
    ['a user beyond all ids', () => token({ ...claims(), user_id: 2 ** 53 })],
    ['a user that is null', () => token({ ...claims(), user_id: null })],
    ['a user as a fraction', () => token({ ...claims(), user_id: 7.5 })],
    ['no role', () => token(without('role'))],
    ['an unknown role', () => token({ ...claims(), role: 'root' })],
    ['a role that every object has', () => token({ ...claims(), role: 'constructor' })],
    ['a role as a list', () => token({ ...claims(), role: ['admin'] })],
    ['a payload that is null', () => token('null')],
    ['a payload that is an array', () => token([claims()])],
    ['a payload that is a string', () => token('"admin"')],
    ['a payload that is empty', () => token('')],
    ['a payload that is not JSON', () => token('{')],
    ['a payload that is null, of another type', () => token('null', { ...HEADER, typ: 'JWT' })],
    ['a payload that is not JSON, of another type', () => token('{', { ...HEADER, typ: 'JWT' })],
    ['a header that is null', () => token(claims(), 'null')],
    ['a header that is an array', () => token(claims(), '[]')],
    ['a header that is a string', () => token(claims(), '"HS256"')],
    ['a header that is not JSON', () => token(claims(), '{')],
    ['10 kB', () => token({ ...claims(), x: 'x'.repeat(10_000) })],
    ['10 kB of dots', () => '.'.repeat(10_000)],
    ['garbage', () => 'garbage'],
    ['letters that tokens cannot contain', () => 'ä.ö.ü'],
    ['garbage of three parts', () => 'a.b.c'],
    ['dots', () => '..'],
    ['two tokens, separated by a space', () => `${token(claims())} ${token(claims())}`],
    ['two tokens, separated by a comma', () => `${token(claims())}, Bearer ${token(claims())}`],
    ['a trailing space', () => `${token(claims())} `],
    ['quotes', () => `"${token(claims())}"`],
    ['five parts', () => `${token(claims())}.x.y`],
  ])('is refused without an exception: %s', async (_name, forge) => {
    expect(await outcomeOf(`Bearer ${forge()}`)).toBe('refused');
  });

  test('is accepted if it was issued by a clock that is less than a minute ahead', async () => {
    const ahead = token({ ...claims(), iat: nowSeconds() + 50 });
    expect(await outcomeOf(`Bearer ${ahead}`)).toMatchObject({ userId: 7 });
  });

  test.each<[string, (good: string) => string | undefined]>([
    ['no value', () => undefined],
    ['an empty value', () => ''],
    ['a scheme only', () => 'Bearer'],
    ['a scheme and a space', () => 'Bearer '],
    ['no scheme', (good) => good],
    ['another scheme', (good) => `Basic ${good}`],
    ['a scheme that ends with the same word', (good) => `NotBearer ${good}`],
    ['no space after the scheme', (good) => `Bearer${good}`],
    ['a tab after the scheme', (good) => `Bearer\t${good}`],
    ['a space before the scheme', (good) => ` Bearer ${good}`],
  ])('is refused in a header with %s', async (_name, header) => {
    expect(await outcomeOf(header(token(claims())))).toBe('refused');
  });

  test('is refused if any one character of a valid token is changed', async () => {
    const good = token(claims());
    for (let i = 0; i < good.length; i++) {
      const changed = `${good.slice(0, i)}${good[i] === 'A' ? 'B' : 'A'}${good.slice(i + 1)}`;
      const isSameSignature = Buffer.from(changed.split('.')[2] ?? '', 'base64url').equals(
        Buffer.from(good.split('.')[2]!, 'base64url'),
      );
      if (!isSameSignature || i < good.lastIndexOf('.'))
        expect(await outcomeOf(`Bearer ${changed}`)).toBe('refused');
    }
  });

  test('is refused with a code of its own if it has expired', async () => {
    const request = {
      headers: { authorization: `Bearer ${token({ ...claims(), exp: nowSeconds() - 1 })}` },
    } as FastifyRequest;
    expect(await runStrategy(strategy, request)).toMatchObject({
      reason: { name: 'TokenExpiredError' },
    });
  });
});
