import { startApp, TestApp } from '../support/app.js';
import { Client } from '../support/client.js';

const KIB = 1024;

let app: TestApp;
let admin: Client;

beforeAll(async () => {
  app = await startApp();
  admin = await app.as('admin');
});
afterAll(() => app.stop());

const errorOf = ({ status, body }: { status: number; body: unknown }): string =>
  `${status} ${(body as { error: { code: string } }).error.code}`;

const record = (length: number): object => Object.fromEntries(Array.from({ length }, (_, i) => [`k${i}`, i]));

describe('S1: paths that need no credentials', () => {
  const PATHS = [
    '/api/v1/login',
    '/login',
    '/api/v2/login',
    '/api/v1/auth/refresh',
    '/auth/refresh',
    '/api/v1/users',
  ];
  const bodyOf = (bytes: number): string => `{"email":"${'a'.repeat(bytes - 12)}"}`;

  test.each(PATHS)('%s takes a body of 16 KiB', async (path) => {
    expect((await app.anonymous.post(path, bodyOf(16 * KIB))).status).not.toBe(413);
  });

  test.each(PATHS)('%s answers 413 to one byte more, whoever calls', async (path) => {
    for (const client of [app.anonymous, admin]) {
      expect(errorOf(await client.post(path, bodyOf(16 * KIB + 1)))).toBe('413 PAYLOAD_TOO_LARGE');
    }
  });

  test('others take 1 MiB', async () => {
    const answer = await admin.post('/api/v1/products', bodyOf(1024 * KIB));
    expect(answer.status).toBe(400);
    expect(errorOf(await admin.post('/api/v1/products', bodyOf(1024 * KIB + 1)))).toBe(
      '413 PAYLOAD_TOO_LARGE',
    );
  });
});

describe('S1: many values', () => {
  test('a body of more than 20,000 is no JSON that is read', async () => {
    const answer = await admin.post('/api/v1/products', { name: record(20_000), price: 1 });
    expect(errorOf(answer)).toBe('400 INVALID_JSON');
    expect(answer.text).toContain('The body has more than 20000 values.');
  });

  test('a scalar field that holds 19,000 of them is of the wrong type', async () => {
    const answer = await admin.post('/api/v1/products', { name: record(19_000), price: 1, category: 'x' });
    expect(errorOf(answer)).toBe('400 VALIDATION_FAILED');
    expect(answer.text).toContain(
      '"field":"name","code":"WRONG_TYPE","message":"got an object, takes a string"',
    );
  });
});
