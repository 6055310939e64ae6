import { createHash } from 'node:crypto';

const digestOf = (secret) => createHash('sha256').update(secret).digest('hex');

/**
 * The writes that the service has acknowledged with 2xx, and those without a response, which may be stored or
 * not. Each write has a unique value by which it is found in the database.
 */
export class Ledger {
  /** The number of writes that were answered with 2xx. */
  acknowledged = 0;
  /**
   * Products by name, with their ids. `isRemoved` is `true` if a deletion was acknowledged, and `'maybe'` if
   * it got no response.
   */
  products = new Map();
  /** The category that each product was given once, by id. */
  patched = new Map();
  /** The number of lines of each order, by id. */
  orders = new Map();
  /** Orders by key: `{ customer, body, id }`. Without an id it is not known whether the order exists. */
  keyed = new Map();
  cancelled = new Set();
  /** The possible ratings of each review, by id, including those of a PATCH without a response. */
  reviews = new Map();
  /** API keys by name: `{ id, key }`, with `isRemoved` as for products. */
  apiKeys = new Map();
  /** Digests of session ids. */
  sessions = new Set();
  /** Digests of the refresh tokens that are the last of their login, and of those that were replaced. */
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

  /** It is not known whether the token was replaced. */
  refreshUnknown(token) {
    this.freshTokens.delete(digestOf(token));
  }
}
