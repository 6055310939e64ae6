import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';

import { SqlExecutor, QueryExecutor } from '../../database/sql-executor.js';
import { isLockTimeout } from '../../database/database-error.js';
import { Database } from '../../database/database.js';
import { removeInBatches, removeRegularly } from '../../database/remove-in-batches.js';
import { ApiError } from '../../http/errors/api-error.js';
import { IdempotencyClaim } from './idempotency-claim.js';
import type { IdempotencyKeyEntity } from './idempotency-key.entity.js';
import { IDEMPOTENCY_KEY_IN_USE, IDEMPOTENCY_KEY_REUSED } from './idempotency.errors.js';
import { seal, unseal } from './seal.js';

const RETENTION_SQL = `interval '24 hours'`;

/**
 * The sum keeps PostgreSQL from using the index on `created_at`. With that index, PostgreSQL would read all keys that
 * have not expired.
 */
const NOT_EXPIRED_SQL = `created_at + ${RETENTION_SQL} > now()`;

const CLEANUP_MS = 10 * 60_000;

/**
 * How long a request waits for an earlier request with the same key, whose transaction has locked the row of the key.
 * If the earlier request ends within this time, the waiting one gets its response. A waiting request occupies a
 * database connection, so the time is short.
 */
const CLAIM_WAIT_MS = 100;

/** A stored response: the headers that every repetition must get again, and the body before compression. */
export interface StoredResponse {
  readonly status: number;
  /** The names are in lower case. */
  readonly headers: Record<string, string>;
  readonly json: string;
}

/** A row of `idempotency_keys` that has its response. Other transactions never see a row without one. */
type StoredRow = {
  [P in 'fingerprint' | 'status' | 'headers' | 'sealedJson']: NonNullable<IdempotencyKeyEntity[P]>;
};

/**
 * Makes a POST safe to repeat. Suppose that a client sends a POST that creates an order, and the connection breaks
 * before the response arrives. The client cannot know whether the order exists. If it sends the POST again, there may
 * be two orders. If it does not, there may be none. With an `Idempotency-Key`, the client can simply repeat the POST.
 * The first request with a key runs, and for 24 hours every repetition gets the response of the first.
 *
 * The response is stored in the transaction that creates the order. So the order never exists without its response, nor
 * the response without its order, even if the process crashes. The row of the key is also a lock, so that two requests
 * that arrive together cannot both run. An error is not stored, because its transaction is rolled back. A request that
 * repeats a failed one therefore runs.
 */
@Injectable()
export class IdempotencyStore implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.timer = removeRegularly(() => this.removeExpired(), CLEANUP_MS);
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /**
   * Returns the stored response for a key if there is one. Otherwise runs `work` in a transaction that claims the key
   * with its first statement, and stores the response of `work`.
   * @param admit throws if the caller may no longer see the stored response
   * @throws ApiError `IDEMPOTENCY_KEY_REUSED` if the stored response belongs to a different request
   * @throws ApiError `IDEMPOTENCY_KEY_IN_USE` if an earlier request with the key is still running
   */
  async runIdempotent(
    claim: IdempotencyClaim,
    work: (tx: SqlExecutor) => Promise<StoredResponse>,
    admit: (tx: SqlExecutor) => Promise<void>,
  ): Promise<{ answer: StoredResponse; isReplay: boolean }> {
    const replay = async ({ fingerprint, status, headers, sealedJson }: StoredRow) => {
      await this.database.transaction(admit);
      if (fingerprint !== claim.fingerprint) throw new ApiError(IDEMPOTENCY_KEY_REUSED);
      return { answer: { status, headers, json: unseal(sealedJson, claim.sealingKey) }, isReplay: true };
    };
    const stored = await this.find(claim, this.database);
    // A different request with the same key is not rejected yet, because the checks of `work` come first. If they
    // throw, the request gets their error. Otherwise it gets `IDEMPOTENCY_KEY_REUSED`.
    if (stored?.fingerprint === claim.fingerprint) return replay(stored);
    let found: StoredRow | undefined;
    try {
      const answer = await this.database.transaction(
        async (tx) => {
          const made = await work(tx);
          await this.store(claim, made, tx);
          return made;
        },
        async (tx) => {
          found = await this.claim(claim, tx);
          if (found) throw new Error('The key has a response.');
        },
      );
      return { answer, isReplay: false };
    } catch (error) {
      if (found) return replay(found);
      throw error;
    }
  }

  /** Deletes the keys that are older than 24 hours. */
  removeExpired(): Promise<void> {
    const isExpired = `created_at <= now() - ${RETENTION_SQL}`;
    return removeInBatches(this.database, 'idempotency_keys', 'caller, key', isExpired);
  }

  /**
   * Claims a key by inserting its row. The transaction holds the lock of the row until it ends. If the process crashes,
   * PostgreSQL rolls back the claim together with all other writes of the request. An advisory lock would not be
   * enough, because it is not part of the data, and exists only on one server of the database.
   * @returns the stored response if the key already has one, or `undefined` if the transaction has claimed the key
   * @throws ApiError `IDEMPOTENCY_KEY_IN_USE` if an earlier request with the key is still running after `CLAIM_WAIT_MS`
   */
  private async claim(claim: IdempotencyClaim, tx: QueryExecutor): Promise<StoredRow | undefined> {
    // The row to insert comes from `set_config()`. The time limit is therefore set before the insert waits for a lock.
    const text = `
      insert into idempotency_keys as stored (caller, key, fingerprint)
      select $1, $2, $3 from set_config('lock_timeout', '${CLAIM_WAIT_MS}', true)
      on conflict (caller, key) do update set fingerprint = excluded.fingerprint, created_at = excluded.created_at,
        status = null, headers = null, sealed_json = null
      where stored.created_at + ${RETENTION_SQL} <= now()
      returning 1`;
    const values = [claim.caller, claim.key, claim.fingerprint];
    const claimed = await tx.query({ text, values, name: 'idempotency_claim' }).catch((error: unknown) => {
      throw isLockTimeout(error) ? keyInUse(error) : error;
    });
    if (claimed.length > 0) {
      await tx.query({ text: 'set local lock_timeout to default', values: [] });
      return undefined;
    }
    const found = await this.find(claim, tx);
    // The key expired, and was removed, between the two statements.
    if (!found) throw keyInUse();
    return found;
  }

  private async find({ caller, key }: IdempotencyClaim, db: QueryExecutor): Promise<StoredRow | undefined> {
    const text = `
      select fingerprint, status, headers, sealed_json as "sealedJson" from idempotency_keys
      where caller = $1 and key = $2 and ${NOT_EXPIRED_SQL}`;
    const [row] = await db.query<StoredRow>({ text, values: [caller, key], name: 'idempotency_kept' });
    return row;
  }

  private async store(
    { caller, key, sealingKey }: IdempotencyClaim,
    { status, headers, json }: StoredResponse,
    tx: SqlExecutor,
  ): Promise<void> {
    const text = `
      update idempotency_keys set status = $3, headers = $4, sealed_json = $5 where caller = $1 and key = $2`;
    const values = [caller, key, status, JSON.stringify(headers), seal(json, sealingKey)];
    await tx.query({ text, values, name: 'idempotency_keep' });
  }
}

const keyInUse = (cause?: unknown): ApiError =>
  new ApiError(IDEMPOTENCY_KEY_IN_USE, undefined, { cause, headers: { 'retry-after': '1' } });
