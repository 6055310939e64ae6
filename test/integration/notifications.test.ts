import { Logger } from '@nestjs/common';

import { PRODUCT } from '../../src/core/config/product.js';
import { Notifications, notify } from '../../src/core/database/notifications.js';
import { NotifiedCache } from '../../src/core/database/notified-cache.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { openDatabase, OpenDatabase } from '../support/open-database.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const WITHIN_MS = 10_000;

describe('notifications', () => {
  let own: TestDatabase;
  let open: OpenDatabase;
  let proxy: TcpProxy;
  let notifications: Notifications;
  let heard: string[];
  let gaps: number;

  beforeAll(async () => {
    own = await createDatabase();
    open = await openDatabase(own.url);
    proxy = await TcpProxy.to(own.url);
  });
  afterAll(async () => {
    await open.close();
    await proxy.refuse();
    await own.drop();
  });
  beforeEach(async () => {
    [heard, gaps] = [[], 0];
    proxy.thaw();
    await proxy.accept();
    notifications = new Notifications(proxy.urlOf(own.url));
    notifications.on('spoken', (payload) => heard.push(payload));
    notifications.onGap(() => gaps++);
    notifications.onApplicationBootstrap();
    await hears(true);
  });
  afterEach(() => notifications.onModuleDestroy());

  const say = (payload: string): Promise<void> => notify(open.database, 'spoken', payload);
  const hears = (expected: boolean): Promise<void> =>
    eventually(async () => notifications.heardUntil > -Infinity, expected, WITHIN_MS);
  const isHeard = async (payload: string): Promise<void> =>
    eventually(async () => heard.includes(payload), true, WITHIN_MS);

  it('are heard', async () => {
    await say('hello');
    await isHeard('hello');
  });

  it('tell of the gap when the session ends, and are heard again after it', async () => {
    const before = gaps;
    await own.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${PRODUCT.databaseApplication} notifications'`,
    );
    await eventually(async () => gaps > before, true, WITHIN_MS);
    await hears(true);
    await say('again');
    await isHeard('again');
  });

  it('go on after the server was away', async () => {
    await proxy.refuse();
    await hears(false);
    await say('missed');
    await proxy.accept();
    await hears(true);
    await say('later');
    await isHeard('later');
    expect(heard).toEqual(['later']);
  });

  it('go on after a listener that fails', async () => {
    Logger.overrideLogger(false);
    notifications.on('spoken', (payload) => {
      JSON.parse(payload);
    });
    notifications.on('spoken', (payload) => heard.push(`second ${payload}`));
    await say('no JSON');
    await isHeard('second no JSON');
    expect(heard).toEqual(['no JSON', 'second no JSON']);
  });

  it('do not vouch for what is remembered while the connection is silent', async () => {
    const cache = new NotifiedCache<object>(notifications, { max: 10 });
    await cache.load('a', () => Promise.resolve({}));
    proxy.freeze();
    await eventually(async () => cache.get('a') === undefined, true, WITHIN_MS);
    proxy.cut();
    proxy.thaw();
    await hears(true);
  });

  it('go on over another connection when the one that is there is forgotten without a word', async () => {
    const before = gaps;
    proxy.forget();
    await eventually(async () => gaps > before, true, WITHIN_MS);
    await hears(true);
    await say('over another');
    await isHeard('over another');
  });

  it('end with the application, whatever the server does', async () => {
    proxy.freeze();
    const begun = performance.now();
    await notifications.onModuleDestroy();
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(notifications.heardUntil).toBe(-Infinity);
  });
});
