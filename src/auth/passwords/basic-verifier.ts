import { hash, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { canonicalEmail, Notifications, Principal, ROLE_PERMISSIONS } from '../../core/index.js';
import { NotifiedCache } from '../../core/auth.js';
import { UserChanges } from '../../users/user-changes.service.js';
import { User } from '../../users/user.entity.js';
import { PasswordVerifier } from './password-verifier.js';

const REMEMBERED_PAIRS = 10_000;
const REMEMBERED_MS = 60_000;

/**
 * Verifies the e-mail and password of Basic. A verified pair is cached for a minute, by a digest under a secret of this
 * process, and forgotten when its user changes on any instance.
 */
@Injectable()
export class BasicVerifier {
  private readonly secret = randomBytes(32).toString('base64');
  private readonly verified: NotifiedCache<Principal>;

  constructor(
    private readonly passwords: PasswordVerifier,
    notifications: Notifications,
    changes: UserChanges,
  ) {
    this.verified = new NotifiedCache(notifications, {
      max: REMEMBERED_PAIRS,
      ttlMs: REMEMBERED_MS,
      ownersOf: ({ userId }) => [userId],
    });
    changes.onCommitted(({ userId }) => {
      this.verified.forget(userId);
    });
  }

  /** The principal of a pair; `null` if it is wrong. @throws ApiError `RATE_LIMIT_EXCEEDED` */
  async verify(email: string, password: string, address: string): Promise<Principal | null> {
    const principal = await this.verified.load(this.digestOf(email, password), async () => {
      const user = await this.passwords.verify(email, password, address);
      return user ? principalOf(user) : undefined;
    });
    return principal ?? null;
  }

  private digestOf(email: string, password: string): string {
    return hash('sha256', JSON.stringify([this.secret, canonicalEmail(email), password]), 'base64');
  }
}

function principalOf({ id, role }: User): Principal {
  return Object.freeze({
    kind: 'user',
    userId: id,
    keyId: null,
    loginId: null,
    role,
    permissions: ROLE_PERMISSIONS[role],
    scheme: 'basic',
  });
}
