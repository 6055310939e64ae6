import { createDatabase, TestDatabase } from '../support/databases.js';
import { OwnApp, startInProcess } from '../support/own-app.js';
import { TcpProxy } from '../support/tcp-proxy.mjs';
import { LossesModule, USE_NAMES } from './lost-connections.module.js';

describe('a lost connection to PostgreSQL while TypeORM uses it', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let app: OwnApp;
  let headers: Record<string, string>;

  beforeAll(async () => {
    database = await createDatabase();
    proxy = await TcpProxy.to(database.url);
    app = await startInProcess({}, { ...database, url: proxy.urlOf(database.url) }, [LossesModule]);
    const { email, password } = await app.user('viewer');
    headers = { authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}` };
  });
  afterAll(async () => {
    await app.stop();
    await proxy.refuse();
    await database.drop();
  });
  afterEach(() => {
    proxy.watch = undefined;
  });

  const responseTo = async (path: string): Promise<unknown> => {
    const signal = AbortSignal.timeout(8_000);
    const response = await fetch(`${app.baseUrl}/api/v1/losses/${path}`, { headers, signal });
    const { error } = (await response.json()) as { error: { code: string } };
    return { path, status: response.status, code: error.code };
  };

  it.each(['idle', 'idle-runner'].flatMap((way) => USE_NAMES.map((use) => `${way}/${use}`)))(
    'is answered with 502 if the session ends between two statements: %s',
    async (path) => {
      expect(await responseTo(path)).toEqual({ path, status: 502, code: 'DATABASE_ERROR' });
    },
  );

  it.each([
    ['none/query', 'as used'],
    ['none/save', 'START TRANSACTION'],
    ['none/save', 'INSERT INTO "products"'],
    ['none/save', 'COMMIT'],
    ...['transaction', 'runner'].flatMap((way) => [
      [`${way}/query`, 'START TRANSACTION'],
      [`${way}/query`, 'as used'],
      [`${way}/save`, 'INSERT INTO "products"'],
      [`${way}/builder`, 'FROM "products"'],
      [`${way}/nested`, 'SAVEPOINT'],
      [`${way}/nested`, 'RELEASE'],
      [`${way}/query`, 'COMMIT'],
    ]),
  ])(
    'is answered with 502 if the connection ends after a statement is sent: %s, %s',
    async (path = '', statement = '') => {
      let cuts = 0;
      proxy.watch = (data, cut) => {
        if (!data.includes(statement)) return;
        cuts++;
        cut();
      };
      expect(await responseTo(path)).toEqual({ path, status: 502, code: 'DATABASE_ERROR' });
      expect(cuts).toBe(1);
    },
  );
});
