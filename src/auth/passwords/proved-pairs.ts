import { createHmac, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { ROLE_PERMISSIONS } from '../../access/permissions.js';
import { Principal } from '../../access/principal.js';
import { Notifications } from '../../database/notifications.js';
import { NotifiedCache } from '../../database/notified-cache.js';
import { canonicalEmail } from '../../fields/canonical-email.js';
import { UserChanges } from '../../users/user-changes.service.js';
import { UserRow } from '../../users/users.repository.js';
import { PasswordCheck } from './password-check.js';

const REMEMBERED_PAIRS = 10_000;
const REMEMBERED_MS = 60_000;

/**
 * Proves e-mail and password of requests that send them each time. A proven pair is remembered for a minute, by a
 * digest that only this process can make, and forgotten when its user changes.
 */
@Injectable()
export class ProvedPairs {
  private readonly secret = randomBytes(32);
  private readonly proved: NotifiedCache<Principal>;

  constructor(
    private readonly passwords: PasswordCheck,
    notifications: Notifications,
    changes: UserChanges,
  ) {
    this.proved = new NotifiedCache(notifications, { max: REMEMBERED_PAIRS, ttlMs: REMEMBERED_MS });
    changes.onCommitted(({ userId }) => {
      this.proved.forget((principal) => principal.userId === userId);
    });
  }

  /** The principal of a pair, or `null`. @throws ApiError `RATE_LIMIT_EXCEEDED` */
  async find(email: string, password: string, address: string): Promise<Principal | null> {
    const pair = createHmac('sha256', this.secret)
      .update(JSON.stringify([canonicalEmail(email), password]))
      .digest('base64');
    const principal = await this.proved.load(pair, async () => {
      const user = await this.passwords.prove(email, password, address);
      return user ? principalOf(user) : undefined;
    });
    return principal ?? null;
  }
}

function principalOf({ id, role }: UserRow): Principal {
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
