import { KeyObject, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import jwt from 'jsonwebtoken';

import { Attributes, Role } from '../config/define-access.js';
import { Config } from '../config/config.js';
import { PRODUCT } from '../config/product.js';
import { MAX_ID } from '../fields/fields.js';
import { ALGORITHMS, SigningKeys, SigningKey } from './signing-keys.js';

/** The `typ` of access tokens, which distinguishes them from other JWTs (RFC 9068 §2.1). */
const TOKEN_TYPE = 'at+jwt';

/** An access token as a response contains it. `expiresIn` is in seconds. */
export type IssuedToken = { accessToken: string; tokenType: 'Bearer'; expiresIn: number };

/**
 * Signs access tokens (JWTs of RFC 9068), and provides the keys and options to verify them.
 * @example constructor(private readonly tokens: AccessTokens) {}
 */
@Injectable()
export class AccessTokens {
  /** The claims and algorithms that a token must have. Each key allows only one algorithm, see `findKey()`. */
  readonly verifyOptions = {
    algorithms: [...ALGORITHMS],
    issuer: PRODUCT.issuer,
    audience: PRODUCT.audience,
  };

  constructor(
    private readonly keys: SigningKeys,
    private readonly config: ConfigService<Config, true>,
  ) {}

  /** Signs an access token for a login. If the application declares attributes, the token contains those of the user. */
  sign(
    { userId, role, attributes }: { userId: number; role: Role; attributes?: Attributes },
    loginId: number,
  ): IssuedToken {
    const expiresIn = this.config.get('jwt.accessTokenTtlSeconds', { infer: true });
    const { id: keyid, algorithm, signingKey } = this.keys.all[0] as SigningKey;
    const claims = { user_id: userId, role, sid: String(loginId), ...(attributes && { attributes }) };
    const accessToken = jwt.sign(claims, signingKey, {
      algorithm,
      header: { alg: algorithm, typ: TOKEN_TYPE },
      keyid,
      issuer: PRODUCT.issuer,
      audience: PRODUCT.audience,
      jwtid: randomUUID(),
      expiresIn,
    });
    return { accessToken, tokenType: 'Bearer', expiresIn };
  }

  /**
   * Returns the id of the login that issued a token, even if the token has expired. Returns `null` if this service did
   * not sign the token.
   */
  findLoginId(token: string): number | null {
    const key = this.findKey(token);
    if (!key) return null;
    try {
      const claims = jwt.verify(token, key, { ...this.verifyOptions, ignoreExpiration: true });
      return typeof claims === 'object' ? readLoginId(claims['sid']) : null;
    } catch {
      // jsonwebtoken throws if the signature, the issuer or the audience is wrong.
      return null;
    }
  }

  /** Returns the key that verifies a token, or `undefined` if this service does not issue tokens with such a header. */
  findKey(token: string): KeyObject | undefined {
    const header = decodeHeader(token);
    // `crit` lists extensions that a service must understand to accept the token (RFC 7515 §4.1.11). This service
    // understands no extensions, so it rejects every token with `crit`.
    if (header?.typ !== TOKEN_TYPE || 'crit' in header) return undefined;
    const key = this.keys.all.find(({ id }) => id === header.kid);
    return key?.algorithm === header.alg ? key.verificationKey : undefined;
  }
}

/**
 * Reads the id of a login from the claim `sid` of an access token.
 * @returns `null` for a value that this service never writes
 * @example readLoginId('17') // 17
 */
export function readLoginId(sid: unknown): number | null {
  if (typeof sid !== 'string' || !/^\d{1,16}$/.test(sid)) return null;
  const id = Number(sid);
  return id >= 1 && id <= MAX_ID ? id : null;
}

function decodeHeader(token: string): jwt.JwtHeader | undefined {
  try {
    return jwt.decode(token, { complete: true })?.header;
  } catch {
    // jsonwebtoken throws if the payload is not JSON.
    return undefined;
  }
}
