import { hash, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { AuthScheme, Principal, permissionsOf, SchemeStrategy } from '@plinth/core';
import {
  AccountsRepository,
  basicChallenge,
  digestPassword,
  INVALID_CREDENTIALS,
  PasswordVerifier,
  REALM,
} from '@plinth/core/auth';
import { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { StrategyCreatedStatic } from 'passport';
import { BasicStrategy as PassportBasicStrategy } from 'passport-http';

/** The maximum length of the header. The longest valid e-mail and password, in UTF-8 and base64, need less. */
const MAX_HEADER_LENGTH = 2_048;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A valid header for Passport's parser. Its values are ignored: `validate()` gets the credentials of our own parser. */
const PLACEHOLDER_HEADERS = { authorization: `Basic ${Buffer.from('read:elsewhere').toString('base64')}` };

type BasicAttempt = { readonly user: string; readonly password: string; readonly address: string };

/**
 * Passport's Basic strategy with a header parser of our own. Passport's parser cuts the password at a second colon,
 * refuses an empty password, accepts any scheme whose name contains `Basic`, and ignores malformed UTF-8.
 *
 * Each request reads the user from the database. A successful verification is cached for a minute. The key of the cache
 * is a digest of the password, its hash and a secret of this process.
 */
@Injectable()
@AuthScheme({
  name: 'basic',
  header: 'Authorization',
  order: 20,
  errors: [INVALID_CREDENTIALS],
  challenge: basicChallenge,
  openapi: { type: 'http', scheme: 'basic', description: 'The e-mail and the password of a user, in UTF-8.' },
})
export class BasicStrategy
  extends PassportStrategy(PassportBasicStrategy, 'basic')
  implements SchemeStrategy
{
  private readonly secret = randomBytes(32).toString('base64');
  private readonly verifiedPasswords = new LRUCache<string, true, BasicAttempt>({
    max: 10_000,
    ttl: 60_000,
    fetchMethod: async (_digest, _stale, { context: { user, password, address } }) =>
      (await this.passwords.verify(user, password, address)) ? true : undefined,
  });

  constructor(
    private readonly accounts: AccountsRepository,
    private readonly passwords: PasswordVerifier,
  ) {
    super({ realm: REALM, passReqToCallback: true });
  }

  accepts(authorization: string): boolean {
    return /^basic(?: |$)/i.test(authorization);
  }

  override authenticate(
    this: this & StrategyCreatedStatic,
    request: Parameters<PassportBasicStrategy['authenticate']>[0],
  ): void {
    // The request is Fastify's, but passport-http declares only Express's type.
    const { headers, ip: address } = request as unknown as FastifyRequest;
    const credentials = readBasicCredentials(headers.authorization);
    const read = { headers: PLACEHOLDER_HEADERS, ...credentials, address };
    // The base class reads only the header, and passes this object on to `validate()`.
    if (credentials) super.authenticate(read as unknown as typeof request);
    else this.fail(400);
  }

  async validate(attempt: BasicAttempt): Promise<Principal | null> {
    const { user: email, password } = attempt;
    const user = await this.accounts.findCredentials(email);
    const proof = JSON.stringify([this.secret, user?.passwordHash ?? email, password]);
    const isProven = await this.verifiedPasswords.fetch(hash('sha256', proof, 'base64'), {
      context: attempt,
    });
    if (!user || !isProven) return null;
    const { id: userId, role } = user;
    const permissions = permissionsOf(role);
    const passwordDigest = digestPassword(user);
    return {
      kind: 'user',
      userId,
      keyId: null,
      loginId: null,
      passwordDigest,
      role,
      permissions,
      scheme: 'basic',
    };
  }
}

/** Parses an `Authorization: Basic` header in UTF-8 (RFC 7617 §2). The first colon ends the user name. */
export function readBasicCredentials(header: string | undefined): Omit<BasicAttempt, 'address'> | null {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return null;
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header)?.[1];
  if (encoded === undefined) return null;
  try {
    const text = utf8.decode(Buffer.from(encoded, 'base64'));
    const colon = text.indexOf(':');
    // Neither the user name nor the password may contain control characters (RFC 7617 §2).
    if (colon < 0 || /[\u0000-\u001f\u007f]/.test(text)) return null;
    return { user: text.slice(0, colon), password: text.slice(colon + 1) };
  } catch {
    return null;
  }
}
