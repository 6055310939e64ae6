import { OwnApp, startInProcess } from '../../support/own-app.js';
import { expectError } from '../../support/raw-http.js';
import { headersOf } from '../../support/schemes.js';

const DAY_MS = 86_400_000;

describe('whether a login has expired', () => {
  let app: OwnApp;
  beforeAll(async () => {
    app = await startInProcess();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.stop());

  it('is decided by the clock of the database, whatever that of the process says', async () => {
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
});
