import { Logger } from '@nestjs/common';
import { Client } from 'pg';

import { changesTable, createTotals, Totals } from '../../src/core/database/totals-sql.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
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
    await database.query(`insert into ${CHANGES} (n) select 1 from generate_series(1, 100)`);
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

  it('begins with a thousand changes, and rests for a while', async () => {
    const runs: unknown[] = [];
    const folder = folderOn(await connect(), () => Promise.resolve(runs.push(1)));
    folder.found(TOTALS, 999);
    folder.found(TOTALS, 1_000);
    await eventually(() => Promise.resolve(runs.length), 1, 20_000);
    folder.found(TOTALS, 1_000);
    await folder.stop();
    expect(runs).toHaveLength(1);
  });

  it('sums up what transactions that have ended changed, and no more', async () => {
    const writer = await connect();
    await writer.query(`begin; insert into ${CHANGES} (n) values (1)`);
    await database.query(`insert into ${CHANGES} (n) values (1)`);
    const folder = folderOn(await connect());
    await folder.fold(TOTALS);
    expect(await pending()).toBeGreaterThan(0);
    await writer.query('commit');
    const left = async (): Promise<number> => {
      await folder.fold(TOTALS);
      return pending();
    };
    await eventually(left, 0, 20_000);
    await folder.stop();
  });

  it('says so where it fails', async () => {
    const client = await connect();
    await client.query(`set default_transaction_read_only = on`);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const folder = folderOn(client);
    await folder.fold(TOTALS);
    await folder.stop();
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining('The totals of gadgets could not be summed up')],
    ]);
    warn.mockRestore();
  });
});
