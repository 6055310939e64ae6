import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { LRUCache } from 'lru-cache';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';

import { AuthScheme, Principal, ROLE_PERMISSIONS } from '../../core/index.js';
import { INVALID_API_KEY } from '../../core/auth.js';
import { ApiKeysRepository } from '../api-keys/api-keys.repository.js';
import { digestOf } from '../secrets.js';

const HEADER = 'X-API-Key';
/** `lastUsedAt` is written at most this often. */
const USED_EVERY_MS = 60_000;
/** Keys whose last write is known; the others ask the database, which does not write too often either. */
const KNOWN_USES = 50_000;

/** Verifies the header `X-API-Key`. Keys are looked up for each request: revoked ones are refused at once. */
@Injectable()
@AuthScheme({
  name: 'api-key',
  header: HEADER,
  order: 30,
  errors: [INVALID_API_KEY],
  openapi: {
    type: 'apiKey',
    in: 'header',
    name: HEADER,
    description: 'The `key` that `POST /api-keys` shows once.',
  },
})
export class ApiKeyStrategy extends PassportStrategy(HeaderAPIKeyStrategy, 'api-key') {
  private readonly used = new LRUCache<number, true>({ max: KNOWN_USES, ttl: USED_EVERY_MS });

  constructor(private readonly keys: ApiKeysRepository) {
    super({ header: HEADER, prefix: '' }, false);
  }

  /** A key has the permissions that it was given, as far as its owner has them now. */
  async validate(secret: string): Promise<Principal | null> {
    const digest = digestOf(secret);
    const key = digest === null ? undefined : await this.keys.findByDigest(digest);
    if (!key) return null;
    const { id, userId, role } = key;
    this.noteUse(id);
    const permissions = new Set(key.permissions.filter((name) => ROLE_PERMISSIONS[role].has(name)));
    return { kind: 'api-key', userId, keyId: id, loginId: null, role, permissions, scheme: 'api-key' };
  }

  /** Runs beside the request; if it fails, the next use tries again. */
  private noteUse(id: number): void {
    if (this.used.has(id)) return;
    this.used.set(id, true);
    this.keys.used(id, USED_EVERY_MS).catch(() => this.used.delete(id));
  }
}
