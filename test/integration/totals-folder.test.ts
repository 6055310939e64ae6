import { Logger } from '@nestjs/common';
import { Client } from 'pg';

import { changesTable, createTotals, Totals } from '../../src/database/totals-sql.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { folderOn } from '../support/totals-folder.js';

const TOTALS: Totals = { table: 'gadgets', columns: [] };
const CHANGES = changesTable('gadgets');

describe('SUMMING UP for readers', () => {
  let database: TestDatabase;
  let clients: Client[];

  beforeAll(async () => {
    database = await createDatabase();
    await database.query('create table gadgets (id int primary key)');
    for (const statement of createTotals(TOTALS)) await database.query(statement);
  });
  beforeEach(async () => {
    clients = [];
    await database.query(`insert into ${CHANGES} select 1 from generate_series(1, 100)`);
  });
  afterEach(async () => {
    for (const client of clients) await client.end();
    await database.query(`delete from ${CHANGES}`);
  });
  afterAll(() => database.drop());

  async function connect(): Promise<Client> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    clients.push(client);
    return client;
  }

  const pending = async (): Promise<number> => (await database.query(`select 1 from ${CHANGES}`)).length;

  it('begins with a hundred changes', async () => {
    const folder = folderOn(await connect());
    folder.found(TOTALS, 99);
    await folder.stop();
    expect(await pending()).toBe(100);
  });

  it('goes on as long as there is something to sum up', async () => {
    const folder = folderOn(await connect());
    for (let round = 0; round < 3; round++) {
      await database.query(`insert into ${CHANGES} select 1 from generate_series(1, 100)`);
      folder.found(TOTALS, 100);
      await folder.fold(TOTALS);
      expect(await pending()).toBe(0);
    }
    await folder.stop();
  });

  it('rests for a second where another connection is at it', async () => {
    const other = await connect();
    await other.query('begin');
    await other.query(`select pg_advisory_xact_lock(hashtext('totals'), hashtext('gadgets'))`);
    let runs = 0;
    const folder = folderOn(await connect(), () => Promise.resolve(runs++));
    const until = performance.now() + 800;
    while (performance.now() < until) {
      folder.found(TOTALS, 100);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(runs).toBe(1);
    await other.query('rollback');
    // What is no reader's does not wait.
    await folder.fold(TOTALS);
    expect(await pending()).toBe(0);
    await folder.stop();
  });

  it('begins again after it', async () => {
    const other = await connect();
    await other.query('begin');
    await other.query(`select pg_advisory_xact_lock(hashtext('totals'), hashtext('gadgets'))`);
    const folder = folderOn(await connect());
    await folder.fold(TOTALS);
    await other.query('rollback');
    const until = performance.now() + 10_000;
    while (performance.now() < until && (await pending()) > 0) {
      folder.found(TOTALS, 100);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await pending()).toBe(0);
    await folder.stop();
  });

  it('rests as well where it fails, and says so once', async () => {
    const client = await connect();
    await client.query(`set default_transaction_read_only = on`);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const folder = folderOn(client);
    const until = performance.now() + 800;
    while (performance.now() < until) {
      folder.found(TOTALS, 100);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await folder.stop();
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining('The totals of gadgets could not be summed up')],
    ]);
    warn.mockRestore();
  });
});
