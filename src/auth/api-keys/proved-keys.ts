import { Injectable } from '@nestjs/common';

import { parsePermissions } from '../../access/permission-list.js';
import { ROLE_PERMISSIONS } from '../../access/permissions.js';
import { Principal } from '../../access/principal.js';
import { digestOf } from '../secrets.js';
import { NotifiedCache } from '../../database/notified-cache.js';
import { Notifications } from '../../database/notifications.js';
import { UserChanges } from '../../users/user-changes.service.js';

import { ApiKeysRepository, KeyCredentials } from './api-keys.repository.js';

export const API_KEY_CHANGED = 'api_key_changed';

const REMEMBERED_KEYS = 50_000;
/** `lastUsedAt` is written at most this often. */
const USED_EVERY_MS = 60_000;

interface ProvedKey {
  readonly keyId: number;
  readonly principal: Principal;
  usedAt: number;
}

/** Proves API keys: by their digest, remembered until they, or their owner, change on any instance. */
@Injectable()
export class ProvedKeys {
  private readonly proved: NotifiedCache<ProvedKey>;

  constructor(
    private readonly keys: ApiKeysRepository,
    notifications: Notifications,
    changes: UserChanges,
  ) {
    this.proved = new NotifiedCache(notifications, { max: REMEMBERED_KEYS });
    notifications.on(API_KEY_CHANGED, (id) => {
      this.forget(Number(id));
    });
    changes.onCommitted(({ userId }) => {
      this.proved.forget(({ principal }) => principal.userId === userId);
    });
  }

  /** The principal of a key, or `null`. */
  async find(key: string): Promise<Principal | null> {
    const digest = digestOf(key);
    if (!digest) return null;
    const proved = await this.proved.load(digest, async () => {
      const credentials = await this.keys.findByDigest(digest);
      return credentials && { keyId: credentials.id, principal: principalOf(credentials), usedAt: -Infinity };
    });
    if (!proved) return null;
    this.noteUse(proved);
    return proved.principal;
  }

  forget(keyId: number): void {
    this.proved.forget((proved) => proved.keyId === keyId);
  }

  /** Does not keep the request waiting, and may fail: the next use tries again. */
  private noteUse(proved: ProvedKey): void {
    const now = performance.now();
    if (now - proved.usedAt < USED_EVERY_MS) return;
    proved.usedAt = now;
    void this.keys.used(proved.keyId, USED_EVERY_MS).catch(() => {
      proved.usedAt = -Infinity;
    });
  }
}

/** A key may what it was given, and of that what its owner may now. */
function principalOf({ id, userId, role, permissions }: KeyCredentials): Principal {
  const held = parsePermissions(permissions).filter((permission) => ROLE_PERMISSIONS[role].has(permission));
  return Object.freeze({
    kind: 'api-key',
    userId,
    keyId: id,
    loginId: null,
    role,
    permissions: new Set(held),
    scheme: 'api-key',
  });
}
