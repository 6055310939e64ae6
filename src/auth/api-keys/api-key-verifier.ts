import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { BatchLoader, Principal, ROLE_PERMISSIONS } from '../../core/index.js';
import { digestOf } from '../secrets.js';
import { ApiKeysRepository, KeyCredentials } from './api-keys.repository.js';

/** `lastUsedAt` is written at most this often. */
const USED_EVERY_MS = 60_000;
/** Keys whose last write is known; the others ask the database, which does not write too often either. */
const KNOWN_USES = 50_000;

/** Verifies API keys. A key is looked up for each request, so that it is refused as soon as it is revoked. */
@Injectable()
export class ApiKeyVerifier {
  private readonly byDigest: BatchLoader<string, KeyCredentials>;
  private readonly used = new LRUCache<number, true>({ max: KNOWN_USES, ttl: USED_EVERY_MS });

  constructor(private readonly keys: ApiKeysRepository) {
    this.byDigest = new BatchLoader((digests) => keys.findByDigests(digests));
  }

  /** The principal of a key; `null` if there is no such key. */
  async verify(secret: string): Promise<Principal | null> {
    const digest = digestOf(secret);
    const key = digest === null ? undefined : await this.byDigest.load(digest);
    if (!key) return null;
    this.noteUse(key.id);
    return principalOf(key);
  }

  /** Runs beside the request; if it fails, the next use tries again. */
  private noteUse(id: number): void {
    if (this.used.has(id)) return;
    this.used.set(id, true);
    this.keys.used(id, USED_EVERY_MS).catch(() => this.used.delete(id));
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
