import { Injectable } from '@nestjs/common';

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

interface VerifiedKey {
  readonly keyId: number;
  readonly principal: Principal;
  usedAt: number;
}

/** Verifies API keys by their digests, cached until the key or its owner changes on any instance. */
@Injectable()
export class ApiKeyVerifier {
  private readonly verified: NotifiedCache<VerifiedKey>;

  constructor(
    private readonly keys: ApiKeysRepository,
    notifications: Notifications,
    changes: UserChanges,
  ) {
    this.verified = new NotifiedCache(notifications, { max: REMEMBERED_KEYS });
    notifications.on(API_KEY_CHANGED, (id) => {
      this.forget(Number(id));
    });
    changes.onCommitted(({ userId }) => {
      this.verified.forget(({ principal }) => principal.userId === userId);
    });
  }

  /** The principal of a key; `null` if there is no such key. */
  async verify(secret: string): Promise<Principal | null> {
    const digest = digestOf(secret);
    if (!digest) return null;
    const key = await this.verified.load(digest, async () => {
      const credentials = await this.keys.findByDigest(digest);
      return credentials && { keyId: credentials.id, principal: principalOf(credentials), usedAt: -Infinity };
    });
    if (!key) return null;
    this.noteUse(key);
    return key.principal;
  }

  /** The principal of a key that is cached. */
  recall(secret: string): Principal | undefined {
    const digest = digestOf(secret);
    const key = digest === null ? undefined : this.verified.get(digest);
    if (key) this.noteUse(key);
    return key?.principal;
  }

  forget(keyId: number): void {
    this.verified.forget((key) => key.keyId === keyId);
  }

  /** Runs beside the request; if it fails, the next use tries again. */
  private noteUse(key: VerifiedKey): void {
    const now = performance.now();
    if (now - key.usedAt < USED_EVERY_MS) return;
    key.usedAt = now;
    void this.keys.used(key.keyId, USED_EVERY_MS).catch(() => {
      key.usedAt = -Infinity;
    });
  }
}

/** A key has the permissions that it was given, as far as its owner has them now. */
function principalOf({ id, userId, role, permissions }: KeyCredentials): Principal {
  const effective = permissions.filter((permission) => ROLE_PERMISSIONS[role].has(permission));
  return Object.freeze({
    kind: 'api-key',
    userId,
    keyId: id,
    loginId: null,
    role,
    permissions: new Set(effective),
    scheme: 'api-key',
  });
}
