import { setTimeout as sleep } from 'node:timers/promises';

import { UserChanges } from '../../../src/users/user-changes.service.js';
import { describeWithOwnService } from '../../support/needs.js';
import { OwnApp, startInProcess } from '../../support/own-app.js';
import { describeWithRedis, startRedis, TestRedis } from '../../support/redis.js';
import { headersOf } from '../../support/schemes.js';

interface SessionBody {
  id: number;
  current: boolean;
  lastSeenAt: string;
}

describeWithOwnService.each(['memory', 'database'])('sessions in %s', (store) => {
  behave(async () => ({ app: await startInProcess({ SESSION_STORE: store, SESSION_TTL: '2' }) }));
});

describeWithRedis('sessions in redis', () => {
  behave(async () => {
    const redis = await startRedis();
    const settings = { SESSION_STORE: 'redis', SESSION_TTL: '2', REDIS_URL: redis.url };
    return { app: await startInProcess(settings), redis };
  });
});

function behave(start: () => Promise<{ app: OwnApp; redis?: TestRedis }>): void {
  let app: OwnApp;
  let redis: TestRedis | undefined;

  beforeAll(async () => {
    ({ app, redis } = await start());
  });
  afterAll(async () => {
    await app.stop();
    await redis?.remove();
  });

  const read = async (headers: Record<string, string>) =>
    (await app.anonymous.get('/api/v1/products', headers)).status;
  const sessionsOf = async (headers: Record<string, string>) =>
    ((await app.anonymous.get('/api/v1/sessions', headers)).body as { data: SessionBody[] }).data;

  it('are listed, read and ended by their user only', async () => {
    const user = await app.user('viewer');
    const one = await headersOf(app, user, ['read']);
    const two = await headersOf(app, user, ['read']);
    const stranger = await headersOf(app, await app.user('admin'), ['read']);
    const sessions = await sessionsOf(one.session);
    expect(sessions).toHaveLength(2);
    const mine = sessions.find(({ current }) => current)!;
    const other = sessions.find(({ current }) => !current)!;
    expect((await sessionsOf(one.bearer)).find(({ current }) => current)?.id).toBe(mine.id);

    const path = `/api/v1/sessions/${other.id}`;
    expect((await app.anonymous.get(path, stranger.bearer)).status).toBe(404);
    expect((await app.anonymous.delete(path, stranger.bearer)).status).toBe(404);
    expect((await app.anonymous.delete(path, one['api-key'])).status).toBe(403);
    expect((await app.anonymous.get(path, one.session)).body).toMatchObject({ id: other.id, current: false });
    expect((await app.anonymous.delete(path, one.session)).status).toBe(204);
    expect(await read(two.session)).toBe(401);
    expect(await read(one.session)).toBe(200);
    expect((await app.anonymous.get(path, one.session)).status).toBe(404);
  });

  it('end with logout', async () => {
    const { session } = await headersOf(app, await app.user('viewer'), ['read']);
    expect((await app.anonymous.post('/api/v1/logout', undefined, session)).status).toBe(204);
    expect(await read(session)).toBe(401);
  });

  it('live on while they are used, and end when they are not', async () => {
    const { session } = await headersOf(app, await app.user('viewer'), ['read']);
    for (let i = 0; i < 6; i++) {
      await sleep(500);
      expect(await read(session)).toBe(200);
    }
    await sleep(2_300);
    expect(await read(session)).toBe(401);
  });

  it('end when their user changes, but for the one that is kept', async () => {
    const user = await app.user('viewer');
    const one = await headersOf(app, user, ['read']);
    const two = await headersOf(app, user, ['read']);
    const kept = (await sessionsOf(one.session)).find(({ current }) => current)!.id;
    const changes = app.app.nest.get(UserChanges, { strict: false });
    await changes.transaction((_, announce) =>
      announce({ userId: user.id, what: 'password', keepLoginId: kept }),
    );
    expect([await read(one.session), await read(two.session)]).toEqual([200, 401]);
    await changes.transaction((_, announce) => announce({ userId: user.id, what: 'role' }));
    expect(await read(one.session)).toBe(401);
  });
}
