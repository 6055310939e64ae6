import { Client, cookieOf } from './http.mjs';
import { Ledger } from './ledger.mjs';
import { Load } from './load.mjs';
import { READY_SECONDS } from './row.mjs';
import { verify } from './verify.mjs';
import { sleep } from './waiting.mjs';
import { FAULTS } from './writers.mjs';

const CUSTOMERS = 8;
const PRODUCTS = 20;
/** The number of the latest stored responses that are requested again. */
const REPLAYS = 10;
const PASSWORD = 'correct horse battery staple';

const emailOf = (n) => `customer-${n}@example.com`;

/** Creates the customers and products that every experiment uses. */
export async function stock(service) {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = service.settings;
  const client = new Client(service);
  const post = async (path, body, headers) => {
    const answer = await client.send('POST', `/api/v1/${path}`, { body, headers });
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const authorization = `Bearer ${(await post('login', { email, password })).accessToken}`;
  for (let n = 1; n <= CUSTOMERS; n++) await post('users', { email: emailOf(n), password: PASSWORD });
  for (let n = 1; n <= PRODUCTS; n++) {
    await post('products', { name: `Product ${n}`, price: 10 + n, category: 'stock' }, { authorization });
  }
  client.close();
}

/**
 * A service on a database of its own, its customers, and the ledger of the writes that it has acknowledged.
 */
export class Shop {
  ledger = new Ledger();
  /** The products that nobody deletes. */
  reviewable = [];
  #reviewed = new Map();
  #reported = new Set();

  /** @param options `hasSessions`: sessions are stored in the database */
  constructor(database, service, options = {}) {
    Object.assign(this, { database, service, options });
  }

  /** Logs all customers in. */
  async open() {
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = this.service.settings;
    this.admin = await this.login({ email, password });
    this.customers = await Promise.all(
      Array.from({ length: CUSTOMERS }, (_, i) => this.login({ email: emailOf(i + 1), password: PASSWORD })),
    );
    return this;
  }

  /** Logs a customer in again. */
  async login({ email, password }) {
    const client = new Client(this.service);
    const answer = await client.send('POST', '/api/v1/login', { body: { email, password } });
    client.close();
    if (answer.status !== 200) throw new Error(`login: ${answer.status} ${answer.text}`);
    const [sessionId, refreshToken] = ['session_id', 'refresh_token'].map((name) => cookieOf(answer, name));
    this.ledger.login({ sessionId, refreshToken });
    return {
      id: answer.json.user.id,
      email,
      password,
      token: answer.json.accessToken,
      sessionId,
      refreshToken,
    };
  }

  /** Sends a request of a customer. */
  async send(
    method,
    path,
    { customer = this.customers[0], token = customer.token, headers, ...others } = {},
  ) {
    const client = new Client(this.service);
    const authorization = token && { authorization: `Bearer ${token}` };
    try {
      return await client.send(method, path, { headers: { ...authorization, ...headers }, ...others });
    } finally {
      client.close();
    }
  }

  /** A product that the customer has not reviewed yet. */
  nextToReview(customer) {
    const next = this.#reviewed.get(customer.id) ?? 0;
    this.#reviewed.set(customer.id, Math.min(next + 1, this.reviewable.length));
    return this.reviewable[next];
  }

  /** Starts writers. */
  load(options) {
    return new Load(this, options);
  }

  /**
   * Waits until no work is in progress, and returns the newly found writes that are lost or stored in part.
   */
  async audit() {
    await this.database.settled();
    const { lost, half } = await verify(this.database, this.ledger, this.options);
    const isNew = (finding) => !this.#reported.has(finding) && this.#reported.add(finding);
    return { lost: lost.filter(isNew), half: [...half, ...(await this.#replays())].filter(isNew) };
  }

  /** Checks that repeating an order with its key returns the acknowledged order. */
  async #replays() {
    const acknowledged = [...this.ledger.keyed].filter(([, { id }]) => id !== undefined).slice(-REPLAYS);
    const found = await Promise.all(acknowledged.map(([key, order]) => this.#replay(key, order)));
    return found.filter((finding) => finding !== null);
  }

  async #replay(key, { customer, body, id }) {
    const headers = { 'idempotency-key': key };
    const ask = () => this.send('POST', `/api/v1/users/${customer.id}/orders`, { customer, body, headers });
    let answer = await ask();
    // A dead connection may still be used, and a service that was frozen sheds the waiting requests, but only
    // until it is ready again.
    const deadline = performance.now() + READY_SECONDS * 1000;
    while (FAULTS.includes(answer.status) && performance.now() < deadline) {
      await sleep(100);
      answer = await ask();
    }
    if (answer.status === 201 && answer.json.id === id) return null;
    return `the key of order ${id} is answered with ${answer.status} ${answer.text.slice(0, 100)}`;
  }
}
