import { Client, eventually } from '@plinth/dev/testing';
import { DataSource, QueryRunner } from 'typeorm';

import { findChanges } from '../../packages/dev/src/migrations/changes.js';
import { Statements } from '../../packages/dev/src/migrations/migration-files.js';
import { declarationsIn } from '../../packages/dev/src/migrations/scratch.js';
import { CreateSuppliers1795300000000 } from '../../packages/core/test/examples/suppliers/1795300000000-create-suppliers.js';
import { supplierList } from '../../packages/core/test/examples/suppliers/supplier.resource.js';
import { SuppliersModule } from '../../packages/core/test/examples/suppliers/suppliers.module.js';
import { WelcomedSuppliersModule } from '../../packages/core/test/examples/welcomed-suppliers/welcomed-suppliers.module.js';
import { OwnApp, startInProcess, useInProcess } from '../support/own-app.js';
import { errorOf } from '../support/products.js';
import { SOURCE_FOLDERS } from '../support/source-folders.js';

describe('the module that packages/core/docs/adding-a-module.md shows', () => {
  const app = useInProcess({}, undefined, [SuppliersModule]);
  let admin: Client;
  /** The statements that create the table from the entity. */
  let made: Statements;

  beforeAll(async () => {
    const { lists } = await declarationsIn(...SOURCE_FOLDERS);
    made = await findChanges(app.app.nest.get(DataSource), [...lists, supplierList]);
    admin = await app.as('admin');
  });

  it('has the migration that npm run migration:generate writes', async () => {
    const migration = new CreateSuppliers1795300000000();
    const statementsOf = async (run: (runner: QueryRunner) => Promise<void>): Promise<string[]> => {
      const statements: string[] = [];
      const query = (text: string): Promise<unknown> => Promise.resolve(statements.push(text));
      await run({ query } as QueryRunner);
      return statements;
    };
    expect(await statementsOf((runner) => migration.up(runner))).toEqual(made.up);
    expect(await statementsOf((runner) => migration.down(runner))).toEqual(made.down);
  });

  it('refuses the name of another supplier, in any case', async () => {
    await admin.post('/api/v2/suppliers', { name: 'Nordic Lamps' });
    const again = await admin.post('/api/v2/suppliers', { name: 'NORDIC LAMPS' });
    const details = [{ field: 'name', code: 'NOT_UNIQUE' }];
    expect(again.body).toMatchObject({ error: { code: 'SUPPLIER_ALREADY_EXISTS', status: 409, details } });
    const other = await admin.post('/api/v2/suppliers', { name: 'Other Lamps' });
    const renamed = await admin.patch(other.headers.get('location') ?? '', { name: 'nordic lamps' });
    expect(renamed.body).toMatchObject({ error: { code: 'SUPPLIER_ALREADY_EXISTS', status: 409, details } });
  });
});

describe('the mails that packages/core/docs/jobs-and-events.md shows', () => {
  let app: OwnApp;
  const welcomed: string[] = [];

  beforeAll(async () => {
    const greeter = { welcome: ({ name }: { name: string }) => Promise.resolve(void welcomed.push(name)) };
    app = await startInProcess({}, undefined, [WelcomedSuppliersModule.of(greeter)]);
    const queryRunner = app.app.nest.get(DataSource).createQueryRunner();
    await new CreateSuppliers1795300000000().up(queryRunner);
    await queryRunner.release();
  });
  afterAll(() => app.stop());

  it('are sent once per created supplier, once per Idempotency-Key, and never for a refused request', async () => {
    const admin = await app.as('admin');
    await admin.post('/api/v2/suppliers', { name: 'first' });
    const key = { 'idempotency-key': 'one' };
    for (let i = 0; i < 2; i += 1) await admin.post('/api/v2/suppliers', { name: 'second' }, key);
    const refused = await admin.post('/api/v2/suppliers', { name: 'SECOND' });
    expect(errorOf(refused)).toBe('409 SUPPLIER_ALREADY_EXISTS');
    await admin.post('/api/v2/suppliers', { name: 'last' });
    await eventually(() => Promise.resolve(welcomed.at(-1)), 'last', 10_000);
    expect(welcomed).toEqual(['first', 'second', 'last']);
  });
});
