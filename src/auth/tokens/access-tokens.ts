import { randomUUID } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import jwt from 'jsonwebtoken';

import { Config, Role } from '../../core/index.js';
import { PRODUCT } from '../../core/auth.js';

import { SigningKeys } from './signing-keys.js';

export const ISSUER = PRODUCT.issuer;
export const AUDIENCE = PRODUCT.audience;
/** The type that distinguishes access tokens from other tokens (RFC 9068 §2.1). */
export const TOKEN_TYPE = 'at+jwt';

@Injectable()
export class AccessTokens {
  constructor(
    private readonly keys: SigningKeys,
    private readonly config: ConfigService<Config, true>,
  ) {}

  /** Signs an access token for a login. `expiresIn` is in seconds. */
  sign(user: { id: number; role: Role }, loginId: number): { accessToken: string; expiresIn: number } {
    const expiresIn = this.config.get('jwt.accessTokenTtlSeconds', { infer: true });
    const { id: keyid, algorithm, signsWith } = this.keys.first;
    const claims = { user_id: user.id, role: user.role, sid: String(loginId) };
    const accessToken = jwt.sign(claims, signsWith, {
      algorithm,
      header: { alg: algorithm, typ: TOKEN_TYPE },
      keyid,
      issuer: ISSUER,
      audience: AUDIENCE,
      jwtid: randomUUID(),
      expiresIn,
    });
    return { accessToken, expiresIn };
  }
}
