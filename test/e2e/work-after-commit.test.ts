import { DataSource } from 'typeorm';

import { CreateSuppliers1795300000000 } from '../examples/suppliers/1795300000000-create-suppliers.js';
import { WelcomedSuppliersModule } from '../examples/welcomed-suppliers/welcomed-suppliers.module.js';
import { eventually } from '../support/eventually.js';
import { OwnApp, startInProcess } from '../support/own-app.js';
import { errorOf } from '../support/products.js';

describe('the mails that docs/jobs-and-events.md shows', () => {
  let app: OwnApp;
  const welcomed: string[] = [];

  beforeAll(async () => {
    const mails = { welcome: ({ name }: { name: string }) => Promise.resolve(void welcomed.push(name)) };
    app = await startInProcess({}, undefined, [WelcomedSuppliersModule.of(mails)]);
    const queryRunner = app.app.nest.get(DataSource).createQueryRunner();
    await new CreateSuppliers1795300000000().up(queryRunner);
    await queryRunner.release();
  });
  afterAll(() => app.stop());

  it('go out once for what is created, once for a key, and not at all for what is refused', async () => {
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
