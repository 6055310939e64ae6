import { startApp, TestApp } from '../support/app.js';
import { uniqueCategory } from '../support/products.js';
import { authorizationOf, Exchange, exchange, expectError, Piece, wire } from '../support/raw-http.js';

const CATEGORY = uniqueCategory('slow');
const BODY = JSON.stringify({ name: 'Walnut desk lamp', price: 49.9, category: CATEGORY });
const LIST = `GET /api/v1/products?category=${encodeURIComponent(CATEGORY)}`;

const WITHIN_MS = 10_000;
const ATTEMPTS = 3;

/** Sends part of a request and then nothing, or one byte now and then. */
const drip = (bytes: string, everyMs: number): Piece[] =>
  Array.from(bytes).flatMap((byte) => [byte, everyMs]);

const post = (authorization: string, length: number, ...more: string[]): Uint8Array =>
  wire('POST /api/v1/products', [
    authorization,
    'Content-Type: application/json',
    ...more,
    ...(length > 0 ? [`Content-Length: ${length}`] : []),
  ]);
const CHUNKED = 'Transfer-Encoding: chunked';

/** The pieces that each slow client sends. */
const WAYS: Readonly<Record<string, (authorization: string) => Piece[]>> = {
  'stops within the request line': () => ['GET /api/v1/pro'],
  'stops within the headers': () => [`GET /api/v1/products HTTP/1.1\r\nHost: localhost\r\nX-A: `],
  'drips headers': () => [`GET / HTTP/1.1\r\nHost: localhost\r\n`, ...drip('X-A: b\r\n'.repeat(3), 500)],
  'sends no body': (by) => [post(by, BODY.length)],
  'stops within the body': (by) => [post(by, BODY.length), BODY.slice(0, 20)],
  'drips the body': (by) => [post(by, BODY.length), ...drip(BODY.slice(0, 30), 400)],
  'stops within a chunk': (by) => [post(by, 0, CHUNKED), '3e\r\n{"name"'],
  'drips chunks': (by) => [post(by, 0, CHUNKED), ...drip('1\r\n \r\n'.repeat(5), 450)],
  'waits after 100 Continue': (by) => [post(by, BODY.length, 'Expect: 100-continue')],
  'stops within the second request': (by) => [wire('GET /api/v1/products', [by]), 'GET /api/v1/pro'],
};

describe('a slow client', () => {
  let app: TestApp;
  let authorization: string;
  let slow: Record<string, Promise<Exchange>>;
  const begin = (what: string): Promise<Exchange> =>
    exchange(app, WAYS[what]!(authorization), {
      timeoutMs: 60_000,
      responses: what.includes('second') ? 2 : 1,
    });

  beforeAll(async () => {
    app = await startApp();
    authorization = await authorizationOf(app, 'admin');
    // All clients run at once, because each takes as long as it may.
    slow = Object.fromEntries(Object.keys(WAYS).map((what) => [what, begin(what)]));
  });
  afterAll(async () => {
    await Promise.all(Object.values(slow));
    await app.stop();
  });

  it('delays nobody else', async () => {
    let isOver = false;
    void Promise.race(Object.values(slow)).then(() => (isOver = true));
    const list = await exchange(app, wire(LIST, [authorization]));
    expect([list.answer.status, isOver]).toEqual([200, false]);
  });

  it.each(Object.keys(WAYS))('gets 408 within 10 s if it %s', async (what) => {
    let outcome = (await slow[what]) as Exchange;
    // The service may take half a second more. If a busy machine stalls for longer, the client is tried
    // again.
    for (let i = 1; i < ATTEMPTS && outcome.elapsedMs >= WITHIN_MS; i++) outcome = await begin(what);
    const { responses, isClosed, elapsedMs } = outcome;
    expectError(
      responses.at(-1) ?? { status: 0, headers: new Headers(), text: 'nothing', body: null },
      408,
      'REQUEST_TIMEOUT',
    );
    expect(responses).toHaveLength(what.includes('second') ? 2 : 1);
    expect(elapsedMs).toBeGreaterThan(5_000);
    expect(elapsedMs).toBeLessThan(WITHIN_MS);
    expect(isClosed).toBe(true);
  });

  it('stores nothing', async () => {
    await Promise.all(Object.values(slow));
    const list = await exchange(app, wire(LIST, [authorization]));
    expect(list.answer.body).toMatchObject({ data: [] });
  });

  it('is served if it is fast enough to stay within the limit', async () => {
    const head = post(authorization, BODY.length);
    const { answer } = await exchange(app, [head, ...drip(BODY, 5)]);
    expect(answer.status).toBe(201);
  });
});
