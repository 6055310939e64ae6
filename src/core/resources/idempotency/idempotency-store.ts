import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';

import { Connection } from '../../database/connection.js';
import { translateDatabaseError } from '../../database/database-error.js';
import { Database } from '../../database/database.js';
import { ApiError } from '../../http/errors/api-error.js';
import { Claim } from './claim.js';
import { IDEMPOTENCY_KEY_IN_USE, IDEMPOTENCY_KEY_REUSED } from './idempotency.errors.js';

const KEPT = `interval '24 hours'`;

/** That an answer is still kept. The index on `created_at` cannot serve it, by which PostgreSQL might read all keys. */
const IS_KEPT = `created_at + ${KEPT} > now()`;

const CLEANUP_MS = 10 * 60_000;

/** A request that was overtaken this often meets other requests with its key each time: it is told so. */
const ATTEMPTS = 3;

/** As it is stored: `json` is sealed. */
interface Found extends StoredResponse {
  readonly fingerprint: string;
}

/** The key was taken between being looked for and being stored. */
class Overtaken extends Error {}

/** The request was answered before. */
class Answered extends Error {
  constructor(readonly found: Found) {
    super();
  }
}

/** The responses to requests with an `Idempotency-Key`, stored in the transaction of what they did. */
@Injectable()
export class IdempotencyStore implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      // A database that is away now is there the next time.
      this.removeExpired().catch(() => undefined);
    }, CLEANUP_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /**
   * Does `work` in a transaction and stores its answer, or finds the one it had before. The key is claimed with the
   * first statement of `work`. On a replay `admit` throws if the caller may no longer do it.
   */
  async once(
    claim: Claim,
    work: (on: Connection) => Promise<StoredResponse>,
    admit: (on: Connection) => Promise<void>,
  ): Promise<{ answer: StoredResponse; isReplay: boolean }> {
    for (let attempt = 1; ; attempt++) {
      const progress = { isClaimed: false };
      try {
        const answer = await this.database.transaction(
          async (on) => {
            const made = await work(on);
            await this.keep(claim, made, on);
            return made;
          },
          async (query) => {
            progress.isClaimed = false;
            const found = await this.find(claim, query);
            if (found) throw new Answered(found);
            progress.isClaimed = true;
          },
        );
        return { answer, isReplay: false };
      } catch (error) {
        if (error instanceof Answered) {
          await this.database.transaction(admit);
          return { answer: stored(error.found, claim), isReplay: true };
        }
        const isOvertaken =
          error instanceof Overtaken || (progress.isClaimed && (await this.isKept(claim, error)));
        if (!isOvertaken) throw error;
        if (attempt >= ATTEMPTS) throw new ApiError(IDEMPOTENCY_KEY_IN_USE);
      }
    }
  }

  /** Forgets answers that were kept for long enough. @returns how many */
  async removeExpired(): Promise<number> {
    const text = `delete from idempotency_keys where created_at <= now() - ${KEPT} returning 1`;
    return (await this.database.query({ text, values: [] })).length;
  }

  /**
   * The answer there is; `null`: no other request with the key runs until the transaction ends, and there was no answer
   * when the statement began. One that was stored while the lock was taken is found at the end, by `keep` or `isKept`.
   */
  private async find({ caller, key }: Claim, query: Connection['query']): Promise<Found | null> {
    const text = `
      with claim as materialized (
        select pg_try_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0)) as "isHeld"
      )
      select "isHeld", fingerprint, status, headers, json from claim
      left join idempotency_keys on caller = $1 and key = $2 and ${IS_KEPT}`;
    const [found] = await query<(Found | { fingerprint: null }) & { isHeld: boolean }>({
      text,
      values: [caller, key],
      name: 'idempotency_claim',
    });
    if (found && found.fingerprint !== null) return found;
    if (!found?.isHeld) throw new ApiError(IDEMPOTENCY_KEY_IN_USE);
    return null;
  }

  /** Whether there is an answer by now to a request whose work failed: it may have failed for its own first result. */
  private async isKept({ caller, key }: Claim, error: unknown): Promise<boolean> {
    // A database that is ill is not asked for more.
    const illness = error instanceof ApiError ? undefined : translateDatabaseError(error);
    if (illness && illness.status >= 500) return false;
    const text = `select 1 from idempotency_keys where caller = $1 and key = $2 and ${IS_KEPT}`;
    const kept = await this.database.query({ text, values: [caller, key], name: 'idempotency_kept' });
    return kept.length > 0;
  }

  /** The primary key has the last word: who finds the key taken has done nothing, and begins again. */
  private async keep(
    { caller, key, fingerprint, sealedWith }: Claim,
    answer: StoredResponse,
    on: Connection,
  ): Promise<void> {
    const text = `
      insert into idempotency_keys as kept (caller, key, fingerprint, status, headers, json)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (caller, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
        headers = excluded.headers, json = excluded.json, created_at = now()
      where kept.created_at <= now() - ${KEPT}
      returning 1`;
    const values = [
      caller,
      key,
      fingerprint,
      answer.status,
      JSON.stringify(answer.headers),
      seal(answer.json, sealedWith),
    ];
    const kept = await on.query({ text, values, name: 'idempotency_keep' });
    if (kept.length === 0) throw new Overtaken();
  }
}

/** The stored answer to a request. @throws ApiError `IDEMPOTENCY_KEY_REUSED` where it is the answer to another one */
function stored(found: Found, { fingerprint, sealedWith }: Claim): StoredResponse {
  if (found.fingerprint !== fingerprint) throw new ApiError(IDEMPOTENCY_KEY_REUSED);
  return { status: found.status, headers: found.headers, json: unseal(found.json, sealedWith) };
}

export interface StoredResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly json: string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals a text with a key of 32 bytes: base64 of nonce, tag and ciphertext (AES-256-GCM). */
export function seal(text: string, key: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** The text that was sealed with the key. @throws Error where it was not, or was changed */
export function unseal(sealed: string, key: Buffer): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}
