import { PlinthFactory } from '@plinth/core/start';

import { AppModule } from '../../src/app.module.js';
import { createDatabase } from '../support/databases.js';

const ENV = { JWT_SECRET: 'a'.repeat(64), LOG_LEVEL: 'silent', ADMIN_PASSWORD: 'a good long password 1' };

describe('PlinthFactory.create()', () => {
  it('creates an application that answers injected requests and listens', async () => {
    const database = await createDatabase();
    const app = await PlinthFactory.create(AppModule, { env: { ...ENV, DATABASE_URL: database.url } });
    expect(await database.query('select role from users')).toEqual([{ role: 'admin' }]);
    expect((await app.inject('/health/ready')).statusCode).toBe(200);
    await app.listen(0, '127.0.0.1');
    const url = `${await app.getUrl()}/api/v1/products`;
    expect((await fetch(url)).status).toBe(401);
    await app.close();
    await expect(fetch(url)).rejects.toThrow();
    await database.drop();
  });

  it('can leave migrations to others, and then reports that it is not ready', async () => {
    const database = await createDatabase();
    await database.query('delete from migrations where id = (select max(id) from migrations)');
    const env = { ...ENV, DATABASE_URL: database.url };
    const app = await PlinthFactory.create(AppModule, { env, migrate: false });
    expect((await app.inject('/api/v1/products')).statusCode).toBe(503);
    await app.close();
    await database.drop();
  });

  it('names the invalid variables', async () => {
    const made = PlinthFactory.create(AppModule, { env: { ...ENV, PORT: 'x' } });
    await expect(made).rejects.toThrow(/^PORT: must be a whole number from 0 to 65535 \(got "x"\)/);
  });

  it('refuses a second copy of the base', async () => {
    const key = Symbol.for('@plinth/core');
    const loaded = (globalThis as Record<symbol, unknown>)[key] as Set<string>;
    loaded.add('/elsewhere/node_modules/@plinth/core');
    const made = PlinthFactory.create(AppModule, {
      env: { ...ENV, DATABASE_URL: 'postgres://localhost/none' },
    });
    await expect(made).rejects.toThrow(
      /^@plinth\/core is loaded from \/elsewhere\S+ and from \S+core, but only one copy may be loaded: `npm ls @plinth\/core` /,
    );
    loaded.clear();
  });
});
