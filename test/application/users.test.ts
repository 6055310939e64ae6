import { Client, errorOf, startApp, TestApp, uniqueEmail } from '@plinth/dev/testing';

import { AppModule } from '../../src/app.module.js';

const USERS = '/api/v1/users';
const PASSWORD = 'a lamp on every second desk';

describe('users', () => {
  let app: TestApp;
  let admin: Client;

  beforeAll(async () => {
    app = await startApp(AppModule);
    admin = await app.as('admin');
  });
  afterAll(() => app.stop());

  it('register as viewers, and never see a password', async () => {
    const registered = await app.anonymous.post(USERS, {
      email: uniqueEmail('new'),
      name: 'Joan',
      password: PASSWORD,
    });
    expect(registered.status).toBe(201);
    expect(registered.body).toMatchObject({ role: 'viewer', name: 'Joan' });
    expect(registered.text).not.toContain('password');
  });

  it('are unique by e-mail address, in any case', async () => {
    const email = uniqueEmail('taken');
    await app.anonymous.post(USERS, { email, name: 'Joan', password: PASSWORD });
    const again = await app.anonymous.post(USERS, {
      email: email.toUpperCase(),
      name: 'Jo',
      password: PASSWORD,
    });
    expect(errorOf(again)).toBe('409 EMAIL_ALREADY_EXISTS');
  });

  it('get their role only from administrators', async () => {
    const viewer = await app.user('viewer');
    const path = `${USERS}/${viewer.id}`;
    const own = await app.as('viewer');
    const me = (await own.get(`${USERS}/me`)).body as { id: number };
    expect((await own.patch(`${USERS}/${me.id}`, { role: 'admin' })).status).toBe(403);
    expect((await admin.patch(path, { role: 'editor' })).body).toMatchObject({ role: 'editor' });
  });

  it('see themselves, but not each other', async () => {
    const viewer = await app.as('viewer');
    const other = await app.user('viewer');
    expect((await viewer.get(`${USERS}/me`)).status).toBe(200);
    expect((await viewer.get(`${USERS}/${other.id}`)).status).toBe(403);
    expect((await admin.get(`${USERS}/${other.id}`)).body).toMatchObject({ email: other.email });
  });
});
