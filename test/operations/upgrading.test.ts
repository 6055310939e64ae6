import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client, logIn, PASSWORD } from '@plinth/dev/testing';
import { DataSource } from 'typeorm';

import { dataSourceOptions } from '../../packages/core/src/database/data-source-options.js';
import { migrate } from '../../packages/core/src/database/migrate.js';
import { startOn, TestApp } from '../support/app.js';
import { codeBlocks, CORE_DOCS } from '../support/code-blocks.js';
import { createDatabase, createFrom, databaseOf, dropIfThere, run } from '../support/databases.js';
import { dataOf } from '../support/shop.js';

const OLD_SCHEMA = 'test/support/releases/0.2.0.sql';

/** The lines of the guide that copy the rows of a 0.x database. */
const COPY =
  codeBlocks(join(CORE_DOCS, 'upgrading.md')).find(({ code }) => code.includes('\\copy'))?.code ?? '';

describe('a database of release 0.2.0', () => {
  const name = `service_test_${randomBytes(6).toString('hex')}`;
  const old = databaseOf(name);

  beforeAll(async () => {
    await createFrom('template0', name);
    await run(old, readFileSync(OLD_SCHEMA, 'utf8'));
  });
  afterAll(() => dropIfThere(name));

  it('is refused by the migrations, and left as it was', async () => {
    const options = dataSourceOptions(old, { poolSize: 1, statementTimeoutMs: 5_000 });
    const dataSource = await new DataSource(options).initialize();
    try {
      await expect(migrate(dataSource)).rejects.toThrow('The database holds the tables of a 0.x release');
    } finally {
      await dataSource.destroy();
    }
    expect(await run(old, 'select count(*) as n from products')).toEqual([{ n: 2 }]);
  });

  // Debian's packages that CI installs include psql.
  const describeWithPsql = spawnSync('psql', ['--version']).status === 0 ? describe : describe.skip;

  describeWithPsql('is copied by the lines of the guide', () => {
    let app: TestApp;
    let ada: Client;

    beforeAll(async () => {
      const database = await createDatabase();
      const folder = mkdtempSync(join(tmpdir(), 'upgrading-'));
      try {
        const env = { ...process.env, OLD: old, NEW: database.url };
        execFileSync('bash', ['-euo', 'pipefail', '-c', COPY], { cwd: folder, env });
      } finally {
        rmSync(folder, { recursive: true });
      }
      app = await startOn(database);
      ada = await logIn(app.anonymous, { email: 'ada@example.com', password: PASSWORD });
    });
    afterAll(() => app.stop());

    it('so that the service shows its rows, with their ratings, versions and totals', async () => {
      const [lamp] = await run<{ version: number }>(old, 'select version from products where id = 1');
      expect(lamp?.version).toBeGreaterThan(1);
      expect(await app.query('select version from products where id = 1')).toEqual([lamp]);
      expect((await ada.get('/api/v2/products/1')).body).toMatchObject({
        ...{ id: 1, name: 'Walnut desk lamp', price: 49.9, description: 'Two lines\nof text' },
        ...{ rating: 3.5, reviewCount: 2 },
      });
      const reviews = await ada.get('/api/v2/products/1/reviews?sort=id:asc');
      expect(reviews.body).toMatchObject({ pagination: { total: 2 } });
      expect(dataOf(reviews)).toMatchObject([
        { id: 1, comment: 'Warm light', author: { id: 1, name: 'Ada, "the" first' } },
        { id: 2, comment: null, author: { id: 3 } },
      ]);
      expect((await ada.get('/api/v1/users/3/orders/1')).body).toMatchObject({
        ...{ id: 1, userId: 3, status: 'paid', total: 100.8 },
        items: [
          { productId: 1, quantity: 2 },
          { productId: null, quantity: 1 },
        ],
      });
      expect(dataOf(await ada.get('/api/v1/api-keys'))).toMatchObject([{ id: 1, userId: 3, name: 'Export' }]);
      expect(dataOf(await ada.get('/api/v1/access-grants'))).toMatchObject([{ id: 1, resourceId: 1 }]);
      expect(dataOf(await ada.get('/api/v1/products?q=walnut'))).toMatchObject([{ id: 1 }]);
    });

    it('so that new rows get ids after those that were copied, and ratings follow new reviews', async () => {
      const product = await ada.post('/api/v1/products', { name: 'New', price: 1, category: 'new' });
      expect([product.status, (product.body as { id: number }).id]).toEqual([201, 3]);
      const user = await app.anonymous.post('/api/v1/users', {
        email: 'new@example.com',
        password: PASSWORD,
      });
      expect([user.status, (user.body as { id: number }).id]).toEqual([201, 4]);
      expect((await ada.post('/api/v1/products/2/reviews', { rating: 1 })).status).toBe(201);
      expect((await ada.get('/api/v2/products/2')).body).toMatchObject({ rating: 2.5, reviewCount: 2 });
      expect((await ada.get('/api/v1/products')).body).toMatchObject({ pagination: { total: 3 } });
    });
  });
});
