import { Injectable } from '@nestjs/common';

import { lockCaller } from '../../access/current-caller.js';
import { denied } from '../../access/decision.js';
import { Principal } from '../../access/principal.js';
import { Connection } from '../../database/connection.js';
import { Database } from '../../database/database.js';
import { Preconditions } from '../../http/caching/preconditions.js';
import { ApiError } from '../../http/errors/api-error.js';
import { Key } from '../../resources/resource-repository.js';
import { ResourceReads } from '../../resources/resource.service.js';
import { digestOf, newSecret } from '../secrets.js';
import { assertGrantable } from './api-key.access.js';
import { CreateApiKeyDto, PatchApiKeyDto } from './api-key.dto.js';
import { ApiKey } from './api-key.entity.js';
import { API_KEY_LIMIT_REACHED } from './api-key.errors.js';
import { ApiKeysRepository } from './api-keys.repository.js';

const HINT_LENGTH = 6;
/** Keys per user. Each has a rate limit of its own, so their number must be limited. */
const MAX_KEYS = 100;

/** An API key as its creation shows it, once: `key` is stored nowhere. */
export interface CreatedApiKey extends ApiKey {
  readonly key: string;
}

/** The API keys of the caller, and with `manage_users` those of everybody. */
@Injectable()
export class ApiKeysService extends ResourceReads<ApiKey> {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly database: Database,
  ) {
    super(keys);
  }

  /** @throws ApiError `API_KEY_LIMIT_REACHED` */
  async create(body: CreateApiKeyDto, userId: number, tx: Connection): Promise<CreatedApiKey> {
    if ((await this.keys.countOf(userId, tx)) >= MAX_KEYS) throw new ApiError(API_KEY_LIMIT_REACHED);
    const key = newSecret();
    const digest = Buffer.from(digestOf(key) as string, 'hex');
    const values = { ...body, userId, hint: key.slice(0, HINT_LENGTH), digest };
    return { ...(await this.keys.insert(values, tx)), key };
  }

  /** @throws ApiError as `assertMayCreate` does */
  async patch(
    key: Key<ApiKey>,
    body: PatchApiKeyDto,
    preconditions: Preconditions,
    caller: Principal,
  ): Promise<ApiKey> {
    const { permissions } = body;
    return this.changing(key, caller, async (tx, { userId }, current) => {
      const role = permissions && (await this.keys.findOwnersRole(userId, tx));
      if (role) assertGrantable(permissions, role, current);
      return this.keys.update(key, { ...body }, preconditions, tx);
    });
  }

  /** Revokes a key: every instance refuses it from the next request on. */
  async remove(key: Key<ApiKey>, preconditions: Preconditions, caller: Principal): Promise<void> {
    await this.changing(key, caller, (tx) => this.keys.remove(key, preconditions, tx));
  }

  /** Runs a write of a key, by its owner or by a caller who may manage users now. */
  private async changing<T>(
    key: Key<ApiKey>,
    caller: Principal,
    work: (tx: Connection, row: ApiKey, current: Principal) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(async (tx) => {
      const current = await lockCaller(caller, tx);
      const row = await this.keys.lock(key, tx);
      if (row.userId !== caller.userId && !current.permissions.has('manage_users'))
        throw denied(current, 'manage_users');
      return work(tx, row, current);
    });
  }
}
