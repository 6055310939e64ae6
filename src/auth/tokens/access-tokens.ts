import { createHash, randomUUID } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import jwt from 'jsonwebtoken';

import { Role } from '#src/access/permissions.js';
import { Config } from '#src/config/config.js';

/** What access tokens are signed with: the only algorithm that is taken. */
export const ALGORITHM = 'HS256';
export const ISSUER = 'plinth';
export const AUDIENCE = 'plinth-api';
/** Tells access tokens from every other kind (RFC 9068 §2.1). */
export const TOKEN_TYPE = 'at+jwt';

interface Key {
  readonly id: string;
  readonly secret: string;
}

/** Signs access tokens, and knows the keys that they are verified with. */
@Injectable()
export class AccessTokens {
  private readonly keys: readonly [Key, ...Key[]];

  constructor(private readonly config: Config) {
    const [first, ...others] = config.jwt.secrets.map((secret) => ({ id: keyId(secret), secret }));
    if (!first) throw new Error('there is no JWT secret');
    this.keys = [first, ...others];
  }

  /** A token that a login of a user issues, and how many seconds it is good for. */
  sign(user: { id: number; role: Role }, loginId: number): { accessToken: string; expiresIn: number } {
    const expiresIn = this.config.jwt.accessTokenTtlSeconds;
    const [key] = this.keys;
    const accessToken = jwt.sign({ user_id: user.id, role: user.role, sid: String(loginId) }, key.secret, {
      algorithm: ALGORITHM,
      header: { alg: ALGORITHM, typ: TOKEN_TYPE },
      keyid: key.id,
      issuer: ISSUER,
      audience: AUDIENCE,
      jwtid: randomUUID(),
      expiresIn,
    });
    return { accessToken, expiresIn };
  }

  /** The secret of a token's `kid`, or `undefined` where no key has that name. */
  secretOf(id: unknown): string | undefined {
    return this.keys.find((key) => key.id === id)?.secret;
  }
}

/** A name for a secret that tells nothing of it. */
function keyId(secret: string): string {
  return createHash('sha256').update(`plinth key id ${secret}`).digest('base64url').slice(0, 12);
}
