import { Injectable } from '@nestjs/common';

import { CallersGrants } from '../access/access.hook.js';
import { Principal } from '../access/principal.js';
import { NotifiedCache } from '../database/notified-cache.js';
import { Notifications } from '../database/notifications.js';

import { Grants, NO_GRANTS } from '../access/grants.js';
import { GrantsRepository } from './grants.repository.js';

/** The notification that a trigger of the table sends; its payload names the grantee: `user 7`, `key 3`. */
const GRANTS_CHANGED = 'access_grants_changed';

const REMEMBERED_CALLERS = 20_000;

/** The holder of a grant, as notifications name them: `user 7`, `key 3`. */
export const granteeOf = ({ userId, apiKeyId }: { userId: number | null; apiKeyId: number | null }): string =>
  apiKeyId === null ? `user ${userId ?? 0}` : `key ${apiKeyId}`;

interface CallerGrants {
  readonly grantees: readonly string[];
  readonly grants: Grants;
}

/**
 * The grants of callers, cached until one is created or removed on any instance. While there are no grants at all,
 * nothing is looked up for a caller.
 */
@Injectable()
export class CachedGrants implements CallersGrants {
  private readonly byCaller: NotifiedCache<CallerGrants>;
  private readonly existence: NotifiedCache<{ readonly isAny: boolean }>;

  constructor(
    private readonly repository: GrantsRepository,
    notifications: Notifications,
  ) {
    this.byCaller = new NotifiedCache(notifications, {
      max: REMEMBERED_CALLERS,
      ownersOf: ({ grantees }) => grantees,
    });
    this.existence = new NotifiedCache(notifications, { max: 1 });
    notifications.on(GRANTS_CHANGED, (grantee) => {
      this.forget(grantee);
    });
  }

  /** The grants that bear on a caller, without a promise where they are cached. */
  of(principal: Principal): Grants | Promise<Grants> {
    const { kind, userId, keyId } = principal;
    if (kind === 'anonymous') return NO_GRANTS;
    if (this.existence.get('any')?.isAny === false) return NO_GRANTS;
    const key = keyId === null ? `user ${userId ?? 0}` : `key ${keyId}`;
    return this.byCaller.get(key)?.grants ?? this.find(key, principal);
  }

  /** Removes a grantee's grants from the cache. */
  forget(grantee: string): void {
    this.existence.forgetAll();
    this.byCaller.forget(grantee);
  }

  private async find(key: string, { userId, keyId }: Principal): Promise<Grants> {
    const existence = await this.existence.load('any', async () => ({
      isAny: await this.repository.isAny(),
    }));
    if (existence?.isAny === false) return NO_GRANTS;
    const known = await this.byCaller.load(key, async () => ({
      // A key is under its owner's grants too.
      grantees: [`user ${userId ?? 0}`, key],
      grants: new Grants(await this.repository.findOf(userId, keyId)),
    }));
    return known?.grants ?? NO_GRANTS;
  }
}
