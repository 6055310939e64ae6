import { Text } from '@plinth/core';
import type { Pool, PoolClient } from 'pg';
import { DataSource, Entity, PrimaryColumn } from 'typeorm';

import { withDataSource } from '../../packages/dev/src/migrations/data-source.js';
import { createDatabase, TestDatabase } from '../support/databases.js';

@Entity('scratch_notes')
class Note {
  @PrimaryColumn()
  id: number;

  @Text({ max: 20 })
  title: string;
}

describe('a data source of the tools', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
    // TypeORM looks up each generated column with a query of its own.
    const generated = ['upper', 'lower', 'trim'].map(
      (name) => `${name}_title text generated always as (${name}(title)) stored`,
    );
    await database.query(`create table scratch_notes (id int primary key, title text, ${generated.join()})`);
  });
  afterAll(() => database.drop());

  const use = <Result>(work: (dataSource: DataSource) => Promise<Result>): Promise<Result> =>
    withDataSource(database.url, { entities: [Note] }, work);

  it('starts no query of a connection while another one runs, as pg 9 will require', async () => {
    const running: number[] = [];
    await use(async (dataSource) => {
      const { master } = dataSource.driver as unknown as { master: Pool };
      const counted = new Set<unknown>();
      master.on('acquire', (client) => {
        if (!counted.has(client)) countRunning(client, running);
        counted.add(client);
      });
      await dataSource.driver.createSchemaBuilder().log();
    });
    expect(running.length).toBeGreaterThan(5);
    expect(Math.max(...running)).toBe(1);
  });

  it('runs the queries that follow a failed one', async () => {
    const results = await use(async (dataSource) => {
      const runner = dataSource.createQueryRunner();
      const all = ['select 1 as a', 'select wrong', 'select 2 as a'].map((text) => runner.query(text));
      const settled = await Promise.allSettled(all);
      await runner.release();
      return settled;
    });
    expect(results).toMatchObject([
      { value: [{ a: 1 }] },
      { reason: { message: 'column "wrong" does not exist' } },
      { value: [{ a: 2 }] },
    ]);
  });
});

/** Adds the number of running queries to `running` whenever a query of the connection starts. */
function countRunning(client: PoolClient, running: number[]): void {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  let now = 0;
  client.query = (async (...args: unknown[]) => {
    running.push(++now);
    return query(...args).finally(() => now--);
  }) as PoolClient['query'];
}
