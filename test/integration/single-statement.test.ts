import { Database } from '../../packages/core/src/database/database.js';
import { SingleStatement } from '../../packages/core/src/database/single-statement.js';
import { useInProcess } from '../support/own-app.js';

const SELECT_ONE = { text: 'select 1 as one', values: [] };

describe('a single statement', () => {
  const app = useInProcess({});
  const database = (): Database => app.app.nest.get(Database, { strict: false });

  it('runs, and returns its rows', async () => {
    expect(await new SingleStatement(database()).query(SELECT_ONE)).toEqual([{ one: 1 }]);
  });

  it('refuses everything that needs a transaction', async () => {
    const executor = new SingleStatement(database());
    await executor.query(SELECT_ONE);
    await expect(executor.query(SELECT_ONE)).rejects.toThrow('use @Transaction() for a second statement');
    expect(() => executor.transaction()).toThrow('use @Transaction() for transaction()');
    expect(() => executor.afterCommit()).toThrow('use @Transaction() for afterCommit()');
    expect(() => executor.manager).toThrow('use @Transaction() for the entity manager');
  });

  it.each(['/api/v1/products', '/api/v2/products'])(
    'creates a row of %s without a transaction, and in a transaction with an Idempotency-Key',
    async (path) => {
      const editor = await app.as('editor');
      const transactions = jest.spyOn(database(), 'transaction').mockClear();
      const body = { name: 'Lamp', price: 5, category: 'lamps' };
      expect((await editor.post(path, body)).status).toBe(201);
      expect(transactions).not.toHaveBeenCalled();
      const once = await editor.post(path, body, { 'idempotency-key': path });
      expect(once.status).toBe(201);
      expect(transactions).toHaveBeenCalledTimes(1);
      expect((await editor.post(path, body, { 'idempotency-key': path })).body).toEqual(once.body);
    },
  );
});
