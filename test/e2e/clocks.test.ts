import { setTimeout as sleep } from 'node:timers/promises';

import { startInProcess, useInProcess } from '../support/own-app.js';
import { expectError } from '../support/raw-http.js';
import { headersOf } from '../support/schemes.js';

const PRODUCTS = '/api/v1/products';
const DAY_MS = 86_400_000;

describe('clocks', () => {
  const app = useInProcess();
  afterEach(() => jest.restoreAllMocks());

  it('expire a login by the clock of the database, even if that of the process is wrong', async () => {
    const user = await app.user('viewer');
    const { basic } = await headersOf(app, user, ['read']);
    const get = (id: number) => app.anonymous.get(`/api/v1/sessions/${id}`, basic);
    const { data } = (await app.anonymous.get('/api/v1/sessions', basic)).body as { data: [{ id: number }] };
    const [{ id }] = data;
    const now = Date.now;
    jest.spyOn(Date, 'now').mockImplementation(() => now() + 365 * DAY_MS);
    expect((await get(id)).status).toBe(200);
    jest.restoreAllMocks();
    await app.query(`update logins set expires_at = clock_timestamp() - interval '1 second' where id = $1`, [
      id,
    ]);
    jest.spyOn(Date, 'now').mockImplementation(() => now() - 365 * DAY_MS);
    expectError(await get(id), 404, 'SESSION_NOT_FOUND');
    expectError(await app.anonymous.delete(`/api/v1/sessions/${id}`, basic), 404, 'SESSION_NOT_FOUND');
  });

  it('leave rate limits unchanged if the wall clock is set back', async () => {
    const settings = { RATE_LIMIT: '3', RATE_LIMIT_WINDOW: '2', LOGIN_RATE_LIMIT: '1' };
    const own = await startInProcess(settings);
    const { anonymous } = own;
    const wallClock = Date.now;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => wallClock() - 8 * DAY_MS);
    try {
      let answer = await anonymous.get(PRODUCTS);
      // A window may end meanwhile on a busy machine.
      for (let i = 0; i < 50 && answer.status !== 429; i++) answer = await anonymous.get(PRODUCTS);
      expectError(answer, 429, 'RATE_LIMIT_EXCEEDED');
      const seconds = Number(answer.headers.get('retry-after'));
      expect(seconds).toBeLessThanOrEqual(2);
      clock.mockImplementation(() => wallClock() - 16 * DAY_MS);
      await sleep(seconds * 1000);
      const login = { email: 'nobody@example.com', password: 'wrong password' };
      expect((await anonymous.post('/api/v1/login', login)).status).toBe(401);
      clock.mockImplementation(() => wallClock() - 24 * DAY_MS);
      const limited = await anonymous.post('/api/v1/login', login);
      expectError(limited, 429, 'RATE_LIMIT_EXCEEDED');
      expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(900);
    } finally {
      clock.mockRestore();
      await own.stop();
    }
  });
});
