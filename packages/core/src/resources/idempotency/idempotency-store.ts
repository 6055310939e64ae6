import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

import { SqlExecutor, QueryExecutor } from '../../database/sql-executor.js';
import { isLockTimeout } from '../../database/database-error.js';
import { Database } from '../../database/database.js';
import { removeInBatches, removeRegularly } from '../../database/remove-in-batches.js';
import { sourceOfNumber } from '../../http/body/json-text.js';
import { ApiError } from '../../http/errors/api-error.js';
import type { IdempotencyKeyEntity } from './idempotency-key.entity.js';
import {
  IDEMPOTENCY_KEY_IN_USE,
  IDEMPOTENCY_KEY_REUSED,
  INVALID_IDEMPOTENCY_KEY,
} from './idempotency.errors.js';

/** The identity of a request with an `Idempotency-Key`: the same for each repetition by the same caller. */
interface IdempotencyClaim {
  /** The caller. Equal keys of different callers are independent. */
  readonly caller: string;
  /** A digest of the key. The key itself is not stored, because the stored response is sealed with it. */
  readonly key: string;
  /** Equal for equal requests. Without the key it reveals nothing about the body, which may hold a password. */
  readonly fingerprint: string;
  /** 32 bytes derived from the key. They seal the response, which may hold a secret that is shown once. */
  readonly sealingKey: Buffer;
}

/** A digest, under the key, of what a request asks for: method, path and the values of the body, in whatever order. */
export function fingerprintRequest(key: string, method: string, path: string, body: unknown): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([method, path, body], canonicalizeMember))
    .digest('base64url');
}

/** A value with its members in one order, and the numbers in it that reading may have rounded as they were written. */
function canonicalizeMember(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]): [string, unknown] => {
    const written = sourceOfNumber(value, name);
    return [name, written === undefined ? member : { written }];
  });
  if (Array.isArray(value)) return entries.map(([, item]) => item);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The claim of a request; `undefined` without a key. @throws ApiError `INVALID_IDEMPOTENCY_KEY` */
export function readClaim(request: FastifyRequest): IdempotencyClaim | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  // A header that is sent twice arrives joined by a comma and a blank, which is no visible character.
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    const message = 'must be 1 to 255 visible ASCII characters';
    const details = [{ field: 'Idempotency-Key', code: 'BAD_FORMAT', message }];
    throw new ApiError(INVALID_IDEMPOTENCY_KEY, undefined, { details });
  }
  const { userId, keyId } = request.context.principal ?? {};
  // Callers who register are known only by their address.
  const caller = keyId ? `key ${keyId}` : userId ? `user ${userId}` : `address ${request.ip}`;
  const path = request.url.split('?', 1)[0] as string;
  return {
    caller,
    key: createHash('sha256').update(key).digest('base64url'),
    fingerprint: fingerprintRequest(key, request.method, path, request.body),
    sealingKey: Buffer.from(hkdfSync('sha256', key, caller, 'kept answer', 32)),
  };
}

const RETENTION_SQL = `interval '24 hours'`;

/** Written so that PostgreSQL cannot use the index on `created_at`, which would make it read all keys. */
const NOT_EXPIRED_SQL = `created_at + ${RETENTION_SQL} > now()`;

const CLEANUP_MS = 10 * 60_000;

/**
 * How long a request waits for an earlier one with its key, whose transaction holds the row of the key. A short request is
 * over by then, and its response is given again. A waiting request holds a connection, so it does not wait for long.
 */
const CLAIM_WAIT_MS = 100;

export interface StoredResponse {
  readonly status: number;
  /** By lower-case names. */
  readonly headers: Record<string, string>;
  readonly json: string;
}

/** A key whose request has its response: other transactions see no key without one. */
type StoredRow = {
  [P in 'fingerprint' | 'status' | 'headers' | 'sealedJson']: NonNullable<IdempotencyKeyEntity[P]>;
};

/** The responses to requests with an `Idempotency-Key`, stored in the transaction of what they did. */
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

  /** The response stored before, or that of `work`, whose first statement claims the key. `admit` permits a replay, or throws. */
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
    // A request with another body is judged as any other is, before it is told that its key is taken.
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

  removeExpired(): Promise<void> {
    const isExpired = `created_at <= now() - ${RETENTION_SQL}`;
    return removeInBatches(this.database, 'idempotency_keys', 'caller, key', isExpired);
  }

  /**
   * Claims a key by its row, which the transaction inserts first and whose lock it holds until its end: a crash takes the
   * claim away with all else. A row belongs to the database, while an advisory lock would belong to one of its nodes.
   * @returns the stored response if the key has one, and is not claimed
   * @throws ApiError `IDEMPOTENCY_KEY_IN_USE` if an earlier request holds the key for longer than this one waits
   */
  private async claim(claim: IdempotencyClaim, tx: QueryExecutor): Promise<StoredRow | undefined> {
    // The timeout is set before the row is inserted, because the row comes from it.
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
    // It has expired and been removed just now.
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

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals a text with a key of 32 bytes: nonce, tag and ciphertext (AES-256-GCM). */
export function seal(text: string, key: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** The text that was sealed with the key. @throws Error where it was not, or was changed */
export function unseal(sealed: Buffer, key: Buffer): string {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}
