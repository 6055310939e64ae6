import { Client, cookieOf, Dropped } from './http.mjs';
import { KEYED_PRODUCT, PLAIN_PRODUCT } from './verify.mjs';
import { sleep } from './waiting.mjs';

/**
 * The frequency of each kind of write. Those that hash a password are rare, because hashing is slow on
 * purpose.
 */
const MIX = {
  createProduct: 4,
  patchProduct: 3,
  removeProduct: 1,
  readProduct: 2,
  placeOrder: 4,
  placeOrderWithKey: 4,
  cancelOrder: 1,
  review: 3,
  patchReview: 1,
  refresh: 1,
  useSession: 1,
  createApiKey: 1,
  removeApiKey: 1,
  register: 0.1,
};

/** Well-formed responses that a fault of the database may cause, or an overloaded service. */
export const FAULTS = [502, 503, 504];

/** The pause of a writer after a refused connection or request. */
const REST_MS = 100;

let writers = 0;

/** A writer that sends one write after another, and records acknowledged writes in the ledger. */
export class Writer {
  #name = `w${++writers}`;
  #made = 0;
  #doomed = [];
  #unpatched = [];
  #orders = [];
  #reviews = [];
  #keys = [];
  #pending = [];
  #login;

  /** @param shop `{ ledger, admin, customers, products }` @param faults statuses that the fault excuses */
  constructor(shop, target, { random, tally, faults = FAULTS, mix = MIX }) {
    Object.assign(this, { shop, random, tally, faults, ledger: shop.ledger, mix });
    this.customer = shop.customers[writers % shop.customers.length];
    this.client = new Client(target);
  }

  /** Writes until it is stopped. @param stop `{ isStopped }` */
  async run(stop) {
    while (!stop.isStopped) {
      const isDone = await this[this.random.weighted(this.mix)]();
      if (isDone === false && !stop.isStopped) await sleep(REST_MS);
    }
  }

  close() {
    this.client.close();
  }

  #unique(what) {
    return `${what}-${this.#name}-${++this.#made}`;
  }

  /** Sends a request. @returns the response if it has the expected status, otherwise `null` */
  async #call(method, path, status, { body, token = this.customer.token, headers, also = [] } = {}) {
    const request = `${method} ${path}`;
    const all = { ...(token && { authorization: `Bearer ${token}` }), ...headers };
    try {
      const answer = await this.client.send(method, `/api/v1${path}`, { body, headers: all });
      this.tally.answer(request, answer);
      if (answer.status === status) {
        if (method !== 'GET') this.ledger.acknowledge();
        return answer;
      }
      if (![...this.faults, ...also, 500].includes(answer.status)) {
        this.tally.wrong.push(`${request} ${answer.status}, not ${status}: ${answer.text.slice(0, 200)}`);
      }
    } catch (error) {
      if (!(error instanceof Dropped)) throw error;
      this.tally.drop(error);
    }
    return null;
  }

  async createProduct() {
    const name = this.#unique('product');
    const body = { name, price: 9.99, category: 'made' };
    const answer = await this.#call('POST', '/products', 201, { body, token: this.shop.admin.token });
    if (!answer) return false;
    const product = { id: answer.json.id, name };
    this.ledger.products.set(name, product);
    this.random.pick([this.#doomed, this.#unpatched, this.shop.reviewable]).push(product);
  }

  async patchProduct() {
    const product = this.#unpatched.shift();
    if (!product) return this.createProduct();
    const category = this.#unique('category');
    const path = `/products/${product.id}`;
    const answer = await this.#call('PATCH', path, 200, { body: { category }, token: this.shop.admin.token });
    if (!answer) return false;
    this.ledger.patched.set(product.id, category);
  }

  async removeProduct() {
    const product = this.#doomed.shift();
    if (!product) return this.createProduct();
    product.isRemoved = 'maybe';
    const answer = await this.#call('DELETE', `/products/${product.id}`, 204, {
      token: this.shop.admin.token,
    });
    if (!answer) return false;
    product.isRemoved = true;
  }

  /** Checks that the next read returns what was acknowledged. */
  async readProduct() {
    const product = this.#unpatched.at(-1);
    if (!product) return this.createProduct();
    return (await this.#call('GET', `/products/${product.id}`, 200)) !== null;
  }

  #newOrder(marker) {
    const quantity = this.random.integer(1, 9);
    return {
      items: [
        { productId: marker, quantity },
        { productId: this.random.integer(3, 20), quantity: 1 },
      ],
    };
  }

  async placeOrder() {
    const body = this.#newOrder(PLAIN_PRODUCT);
    const answer = await this.#call('POST', `/users/${this.customer.id}/orders`, 201, { body });
    if (!answer) return false;
    this.ledger.orders.set(answer.json.id, body.items.length);
    this.#orders.push(answer.json.id);
  }

  /** Repeats an order without a response some time later, with its key. */
  async placeOrderWithKey() {
    const retried = this.random.next() < 0.5 ? this.#pending.shift() : undefined;
    const key = retried ?? this.#unique('key');
    if (!retried)
      this.ledger.keyed.set(key, { customer: this.customer, body: this.#newOrder(KEYED_PRODUCT) });
    const order = this.ledger.keyed.get(key);
    const path = `/users/${this.customer.id}/orders`;
    const headers = { 'idempotency-key': key };
    const answer = await this.#call('POST', path, 201, { body: order.body, headers, also: [409] });
    if (!answer) {
      this.#pending.push(key);
      return false;
    }
    order.id = answer.json.id;
    this.ledger.orders.set(order.id, order.body.items.length);
  }

  async cancelOrder() {
    const id = this.#orders.shift();
    if (!id) return this.placeOrder();
    const path = `/users/${this.customer.id}/orders/${id}`;
    if (!(await this.#call('PATCH', path, 200, { body: { status: 'cancelled' } }))) return false;
    this.ledger.cancelled.add(id);
  }

  async review() {
    const product = this.shop.nextToReview(this.customer);
    if (!product) return this.createProduct();
    const rating = this.random.integer(1, 5);
    const path = `/products/${product.id}/reviews`;
    const answer = await this.#call('POST', path, 201, { body: { rating, comment: 'Seen.' } });
    if (!answer) return false;
    this.ledger.reviews.set(answer.json.id, [rating]);
    this.#reviews.push({ id: answer.json.id, path: `${path}/${answer.json.id}` });
  }

  async patchReview() {
    const review = this.#reviews.shift();
    if (!review) return this.review();
    const rating = this.random.integer(1, 5);
    this.ledger.reviews.get(review.id).push(rating);
    if (!(await this.#call('PATCH', review.path, 200, { body: { rating } }))) return false;
    this.ledger.reviews.set(review.id, [rating]);
  }

  async #logIn() {
    const { email, password } = this.customer;
    const answer = await this.#call('POST', '/login', 200, { body: { email, password }, token: null });
    if (!answer) return false;
    const [sessionId, refreshToken] = ['session_id', 'refresh_token'].map((name) => cookieOf(answer, name));
    this.#login = { sessionId, refreshToken };
    this.ledger.login(this.#login);
  }

  async refresh() {
    if (!this.#login) return this.#logIn();
    const { refreshToken } = this.#login;
    const headers = { cookie: `refresh_token=${refreshToken}` };
    const answer = await this.#call('POST', '/auth/refresh', 200, { headers, token: null });
    if (!answer) {
      // The token may have been used. Sending it again would end the login in that case.
      this.ledger.refreshUnknown(refreshToken);
      this.#login = undefined;
      return false;
    }
    this.#login.refreshToken = cookieOf(answer, 'refresh_token');
    this.ledger.refreshed(refreshToken, this.#login.refreshToken);
  }

  async useSession() {
    if (!this.#login) return this.#logIn();
    const headers = { cookie: `session_id=${this.#login.sessionId}` };
    return (await this.#call('GET', '/users/me', 200, { headers, token: null })) !== null;
  }

  async createApiKey() {
    // A user may have at most a hundred keys.
    if (this.#keys.length >= 4) return this.removeApiKey();
    const name = this.#unique('api-key');
    const answer = await this.#call('POST', '/api-keys', 201, { body: { name, permissions: ['read'] } });
    if (!answer) return false;
    const apiKey = { id: answer.json.id, key: answer.json.key };
    this.ledger.apiKeys.set(name, apiKey);
    this.#keys.push(apiKey);
  }

  /** Checks that a revoked key is refused. */
  async removeApiKey() {
    const apiKey = this.#keys.shift();
    if (!apiKey) return this.createApiKey();
    apiKey.isRemoved = 'maybe';
    if (!(await this.#call('DELETE', `/api-keys/${apiKey.id}`, 204))) return false;
    apiKey.isRemoved = true;
    await this.#call('GET', '/products?limit=1', 401, { token: null, headers: { 'x-api-key': apiKey.key } });
  }

  async register() {
    const email = `${this.#unique('user')}@example.com`;
    const body = { email, password: 'a long enough passphrase 7' };
    if (!(await this.#call('POST', '/users', 201, { body, token: null }))) return false;
    this.ledger.emails.add(email);
  }
}
