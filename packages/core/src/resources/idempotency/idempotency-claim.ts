import { createHash, createHmac, hash, hkdfSync } from 'node:crypto';

import { FastifyRequest } from 'fastify';

import { isJsonType } from '../../http/body/json-body.js';
import { sourceOfNumber } from '../../http/body/json-text.js';
import { ApiError } from '../../http/errors/api-error.js';
import { INVALID_IDEMPOTENCY_KEY } from './idempotency.errors.js';

/** The identity of a request with an `Idempotency-Key`. Every repetition by the same caller has the same identity. */
export interface IdempotencyClaim {
  /** The caller. Different callers may use the same key without affecting each other. */
  readonly caller: string;
  /** A digest of the key. The key itself is not stored, because it decrypts the stored response. */
  readonly key: string;
  /**
   * A digest of the request, equal for equal requests. The body may contain a password, but without the key, the digest
   * reveals nothing about the body.
   */
  readonly fingerprint: string;
  /** 32 bytes derived from the key. They encrypt the response, which may contain a secret that is shown only once. */
  readonly sealingKey: Buffer;
}

/**
 * Computes a digest of a request from its method, its path and the values of its body. The order of the members of the
 * body does not matter. The key is part of the digest, so that without the key nobody can test guesses of the body.
 */
export function fingerprintRequest(key: string, method: string, path: string, body: unknown): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([method, path, body], canonicalizeMember))
    .digest('base64url');
}

/**
 * Sorts the members of an object by name. A number that the parser may have rounded is replaced by its text in the body,
 * so that two numbers that round to the same value stay different.
 */
function canonicalizeMember(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]): [string, unknown] => {
    const written = sourceOfNumber(value, name);
    return [name, written === undefined ? member : { written }];
  });
  if (Array.isArray(value)) return entries.map(([, item]) => item);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the body or, for one that only the handler reads, such as an upload, its length: its bytes have not arrived yet. */
function bodyOrLength({ body, headers }: FastifyRequest): unknown {
  const { 'content-type': type, 'content-length': length } = headers;
  const isParsed =
    type === undefined || isJsonType(type) || typeof body === 'string' || Buffer.isBuffer(body);
  return isParsed ? body : Number(length) || undefined;
}

/**
 * Reads the `Idempotency-Key` of a request.
 * @returns the claim, or `undefined` if the request has no key
 * @throws ApiError `INVALID_IDEMPOTENCY_KEY`
 */
export function readClaim(request: FastifyRequest): IdempotencyClaim | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  // Node joins the values of a repeated header with a comma and a space. The space makes the key invalid.
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    const message = 'must consist of 1 to 255 visible ASCII characters';
    const details = [{ field: 'Idempotency-Key', code: 'BAD_FORMAT', message }];
    throw new ApiError(INVALID_IDEMPOTENCY_KEY, undefined, { details });
  }
  const { userId, keyId, role, attributes } = request.context.principal ?? {};
  // A caller who registers has no id yet, so the IP address stands for the caller.
  const user = keyId ? `key ${keyId}` : userId ? `user ${userId}` : `address ${request.ip}`;
  // If the role or the attributes of a user change, so do the rows that concern them. They do not get an earlier response
  // again.
  const decisive = JSON.stringify([role, attributes]);
  const caller = attributes ? `${user} ${hash('sha256', decisive, 'base64url')}` : user;
  const path = request.url.split('?', 1)[0] as string;
  return {
    caller,
    key: createHash('sha256').update(key).digest('base64url'),
    fingerprint: fingerprintRequest(key, request.method, path, bodyOrLength(request)),
    sealingKey: Buffer.from(hkdfSync('sha256', key, caller, 'kept answer', 32)),
  };
}
