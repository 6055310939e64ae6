import { hash, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { Principal, ROLE_PERMISSIONS } from '../../core/index.js';
import { UsersService } from '../../users/users.service.js';
import { PasswordVerifier } from './password-verifier.js';

interface Attempt {
  readonly email: string;
  readonly password: string;
  readonly address: string;
}

/**
 * Verifies the e-mail and password of Basic. The user is read for each request; that a password matches their hash is
 * cached for a minute, by a digest of both under a secret of this process.
 */
@Injectable()
export class BasicVerifier {
  private readonly secret = randomBytes(32).toString('base64');
  private readonly proven = new LRUCache<string, true, Attempt>({
    max: 10_000,
    ttl: 60_000,
    fetchMethod: async (_digest, _stale, { context: { email, password, address } }) =>
      (await this.passwords.verify(email, password, address)) ? true : undefined,
  });

  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordVerifier,
  ) {}

  /** The principal of a pair; `null` if it is wrong. @throws ApiError `RATE_LIMIT_EXCEEDED` */
  async verify(email: string, password: string, address: string): Promise<Principal | null> {
    const user = await this.users.findCredentials(email);
    const digest = hash(
      'sha256',
      JSON.stringify([this.secret, user?.passwordHash ?? email, password]),
      'base64',
    );
    const isProven = await this.proven.fetch(digest, { context: { email, password, address } });
    if (!user || !isProven) return null;
    const { id, role } = user;
    return {
      kind: 'user',
      userId: id,
      keyId: null,
      loginId: null,
      role,
      permissions: ROLE_PERMISSIONS[role],
      scheme: 'basic',
    };
  }
}
