import { Injectable } from '@nestjs/common';

import { CallersGrants } from '../access/access.hook.js';
import { Principal } from '../access/principal.js';
import { NotifiedCache } from '../database/notified-cache.js';
import { Notifications } from '../database/notifications.js';

import { Grants, NO_GRANTS } from '../access/grants.js';
import { GrantsRepository } from './grants.repository.js';

/** Told by a trigger of the table, with whom the grants that changed bear on: `user 7`, `key 3`. */
const GRANTS_CHANGED = 'access_grants_changed';

const REMEMBERED_CALLERS = 20_000;

/** Whom grants bear on: `user 7`, `key 3`. */
export const granteeOf = ({
  userId,
  apiKeyId,
}: {
  userId: number | null;
  apiKeyId: number | null;
}): string => (apiKeyId === null ? `user ${userId ?? 0}` : `key ${apiKeyId}`);

interface Held {
  readonly grantees: readonly string[];
  readonly grants: Grants;
}

/**
 * The grants of callers, kept in this process until one is made or removed on any instance. Where there are no grants
 * at all, that is all it needs to know: nothing is asked for a caller.
 */
@Injectable()
export class CachedGrants implements CallersGrants {
  private readonly held: NotifiedCache<Held>;
  private readonly existence: NotifiedCache<{ readonly isAny: boolean }>;

  constructor(
    private readonly repository: GrantsRepository,
    notifications: Notifications,
  ) {
    this.held = new NotifiedCache(notifications, { max: REMEMBERED_CALLERS });
    this.existence = new NotifiedCache(notifications, { max: 1 });
    notifications.on(GRANTS_CHANGED, (grantee) => {
      this.forget(grantee);
    });
  }

  /** The grants that bear on a caller; at once where they are known. */
  of(principal: Principal): Grants | Promise<Grants> {
    const { kind, userId, keyId } = principal;
    if (kind === 'anonymous') return NO_GRANTS;
    if (this.existence.get('any')?.isAny === false) return NO_GRANTS;
    const key = keyId === null ? `user ${userId ?? 0}` : `key ${keyId}`;
    return this.held.get(key)?.grants ?? this.find(key, principal);
  }

  /** Forgets what is known of a grantee: something of it has changed. */
  forget(grantee: string): void {
    this.existence.forgetAll();
    this.held.forget(({ grantees }) => grantees.includes(grantee));
  }

  private async find(key: string, { userId, keyId }: Principal): Promise<Grants> {
    const existence = await this.existence.load('any', async () => ({
      isAny: await this.repository.isAny(),
    }));
    if (existence?.isAny === false) return NO_GRANTS;
    const held = await this.held.load(key, async () => ({
      // A key is under its owner's grants too.
      grantees: [`user ${userId ?? 0}`, key],
      grants: new Grants(await this.repository.findOf(userId, keyId)),
    }));
    return held?.grants ?? NO_GRANTS;
  }
}
