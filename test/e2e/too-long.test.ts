import { useApp } from '../support/app.js';
import {
  authorizationOf,
  Exchange,
  exchange,
  ExchangeOptions,
  expectError,
  Piece,
  wire,
} from '../support/raw-http.js';

const PRODUCTS = '/api/v1/products';
const JSON_TYPE = 'Content-Type: application/json';
const MIB = 1024 * 1024;

const app = useApp();
let authorization: string;

beforeAll(async () => {
  authorization = await authorizationOf(app, 'admin');
});

const raw = (pieces: Piece | Piece[], options?: ExchangeOptions): Promise<Exchange> =>
  exchange(app, pieces, options);

/** A valid body of so many bytes, but for its name. */
const bodyOf = (bytes: number): string => {
  const [head, tail] = ['{"price":1,"category":"c","name":"', '"}'];
  return head + 'x'.repeat(bytes - head.length - tail.length) + tail;
};

describe('what is too long', () => {
  it.each([9, 20, 200])('a URL of %i kB is 414', async (kilobytes) => {
    const target = `${PRODUCTS}?category=${'a'.repeat(kilobytes * 1000)}`;
    const { answer } = await raw(wire(`GET ${target}`, [authorization]));
    expectError(answer, 414, 'URI_TOO_LONG');
    expect(answer.text).not.toContain('aaaa');
  });

  it('so is a long path, at a known route and at none', async () => {
    for (const path of [`${PRODUCTS}/${'1'.repeat(9_000)}`, `/${'x'.repeat(9_000)}`]) {
      expectError((await raw(wire(`GET ${path}`, [authorization]))).answer, 414, 'URI_TOO_LONG');
    }
  });

  it('a URL of 8 kB is read', async () => {
    const target = `${PRODUCTS}?category=`.padEnd(8_192, 'a');
    expectError((await raw(wire(`GET ${target}`, [authorization]))).answer, 422, 'UNPROCESSABLE_ENTITY');
  });

  it('headers of more than 16 KiB are 431', async () => {
    for (const headers of [
      [`X-Long: ${'a'.repeat(17_000)}`],
      Array.from({ length: 400 }, (_, i) => `X-${i}: ${'a'.repeat(50)}`),
      [`${'X'.repeat(17_000)}: a`],
      [`Cookie: ${'a'.repeat(3_000_000)}`],
    ]) {
      const { answer, isClosed } = await raw(wire('GET /health/live', headers));
      expectError(answer, 431, 'HEADERS_TOO_LARGE');
      expect(isClosed).toBe(true);
    }
  });

  it('more headers than node:http counts, within 16 KiB, are judged to the last', async () => {
    const many = Array.from({ length: 2_100 }, () => 'a:');
    const get = (...last: string[]): Promise<Exchange> =>
      raw(wire(`GET ${PRODUCTS}`, [authorization, ...many, ...last]));
    expectError((await get('If-Match: "another"')).answer, 412, 'PRECONDITION_FAILED');
    expectError((await get('Host: a', 'Host: b')).answer, 400, 'INVALID_HOST');
    expect((await get('If-Match: *')).answer.status).toBe(200);
  });

  it('a body of 1 MiB is read, one byte more is 413', async () => {
    const headers = [authorization, JSON_TYPE];
    const exact = await raw(wire(`POST ${PRODUCTS}`, headers, bodyOf(MIB)));
    expectError(exact.answer, 422, 'UNPROCESSABLE_ENTITY');
    const over = await raw(wire(`POST ${PRODUCTS}`, headers, bodyOf(MIB + 1)));
    expectError(over.answer, 413, 'PAYLOAD_TOO_LARGE');
  });

  it('whether or not its length is announced', async () => {
    const headers = [authorization, JSON_TYPE, 'Transfer-Encoding: chunked'];
    const chunked = (bytes: number): string => `${bytes.toString(16)}\r\n${bodyOf(bytes)}\r\n0\r\n\r\n`;
    const exact = await raw(wire(`POST ${PRODUCTS}`, headers, chunked(MIB)));
    expectError(exact.answer, 422, 'UNPROCESSABLE_ENTITY');
    const over = await raw(wire(`POST ${PRODUCTS}`, headers, chunked(MIB + 1)));
    expectError(over.answer, 413, 'PAYLOAD_TOO_LARGE');
  });

  it('and is told so even while it is sent', async () => {
    const over = await raw(wire(`POST ${PRODUCTS}`, [authorization, JSON_TYPE], bodyOf(8 * MIB)));
    expectError(over.answer, 413, 'PAYLOAD_TOO_LARGE');
  });

  it('and is told so before it is sent', async () => {
    const headers = [authorization, JSON_TYPE, `Content-Length: ${10 * MIB}`];
    expectError((await raw(wire(`POST ${PRODUCTS}`, headers))).answer, 413, 'PAYLOAD_TOO_LARGE');
  });
});
