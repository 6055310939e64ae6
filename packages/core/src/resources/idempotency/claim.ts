import { createHash, createHmac, hkdfSync } from 'node:crypto';

import { FastifyRequest } from 'fastify';

import { writtenNumber } from '../../http/body/json-text.js';
import { ApiError } from '../../http/errors/api-error.js';
import { callerKey } from '../../http/exchange.js';
import { INVALID_IDEMPOTENCY_KEY } from './idempotency.errors.js';

/** The identity of a request with an `Idempotency-Key`: the same for each repetition by the same caller. */
export interface Claim {
  /** Whose key it is: keys of several callers have nothing to do with each other. */
  readonly caller: string;
  /** A digest of the key: the key itself is not stored, for what is stored is sealed with it. */
  readonly key: string;
  /** Equal for requests that ask for the same. Tells nobody without the key what that was: bodies hold passwords. */
  readonly fingerprint: string;
  /** 32 bytes, derived from the key: seals the answer, which may hold a secret that is shown once. */
  readonly sealedWith: Buffer;
}

/** The key of a request; `undefined`: it has none. @throws ApiError `INVALID_IDEMPOTENCY_KEY` */
export function readIdempotencyKey(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  // A header that is sent twice arrives joined by a comma and a blank, which is no visible character.
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new ApiError(INVALID_IDEMPOTENCY_KEY, undefined, {
    details: [
      { field: 'Idempotency-Key', code: 'BAD_FORMAT', message: 'takes 1 to 255 visible ASCII characters' },
    ],
  });
}

/** A digest, under the key, of what a request asks for: method, path and the values of the body. */
export function fingerprintOf(key: string, method: string, path: string, body: unknown): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([method, path, body], asWritten))
    .digest('base64url');
}

/** Numbers that reading may have rounded are those that were written. */
function asWritten(this: object, name: string, value: unknown): unknown {
  const written = writtenNumber(this, name);
  return written === undefined ? value : { written };
}

/** The claim of a request; `undefined` without a key. @throws ApiError `INVALID_IDEMPOTENCY_KEY` */
export function claimOf(request: FastifyRequest): Claim | undefined {
  const key = readIdempotencyKey(request.headers['idempotency-key']);
  if (key === undefined) return undefined;
  // Who registers is known by address alone.
  const caller = callerKey(request, `address ${request.ip}`);
  const path = request.url.split('?', 1)[0] as string;
  return {
    caller,
    key: createHash('sha256').update(key).digest('base64url'),
    fingerprint: fingerprintOf(key, request.method, path, request.body),
    sealedWith: Buffer.from(hkdfSync('sha256', key, caller, 'kept answer', 32)),
  };
}
