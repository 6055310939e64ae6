import { createHash } from 'node:crypto';

const digestOf = (secret) => createHash('sha256').update(secret).digest('hex');

/**
 * What the service has acknowledged with 2xx, and what it was asked for without an answer: that may be there or not.
 * Each write has something that no other has, by which it is found in the database.
 */
export class Ledger {
  /** Writes that were answered with 2xx. */
  acknowledged = 0;
  /** By name, with their ids; `isRemoved`: `true` acknowledged, `'maybe'` asked for. */
  products = new Map();
  /** Products' ids to the category that each was given, once. */
  patched = new Map();
  /** Ids to the number of lines. */
  orders = new Map();
  /** Keys to `{ customer, body, id }`; without an id it is not known whether there is an order. */
  keyed = new Map();
  cancelled = new Set();
  /** Ids to ratings; the ratings that a PATCH without an answer may have left are among them. */
  reviews = new Map();
  /** Names to `{ id, key }`; `isRemoved` as for products. */
  apiKeys = new Map();
  /** Digests of session ids. */
  sessions = new Set();
  /** Digests of refresh tokens that are the last of their login, and of those that were replaced. */
  freshTokens = new Set();
  usedTokens = new Set();
  emails = new Set();

  acknowledge() {
    this.acknowledged++;
  }

  login({ sessionId, refreshToken }) {
    this.acknowledge();
    this.sessions.add(digestOf(sessionId));
    this.freshTokens.add(digestOf(refreshToken));
  }

  refreshed(old, next) {
    this.acknowledge();
    this.freshTokens.delete(digestOf(old));
    this.usedTokens.add(digestOf(old));
    this.freshTokens.add(digestOf(next));
  }

  /** Nobody knows whether the token was replaced. */
  refreshUnknown(token) {
    this.freshTokens.delete(digestOf(token));
  }
}
