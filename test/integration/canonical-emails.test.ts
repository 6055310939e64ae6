import { DataSource } from 'typeorm';

import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { CanonicalEmails1763600002010 } from '../../src/database/migrations/1763600002010-canonical-emails.js';
import { createDatabase, TestDatabase } from '../support/databases.js';

const TYPED = ['Ada@Example.com', 'V\u0130ctor@example.com', 'jose\u0301@example.com'];

describe('S6: the migration to canonical e-mails', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createDatabase();
    const options = dataSourceOptions(database.url, { poolSize: 2, statementTimeoutMs: 30_000 });
    dataSource = await new DataSource(options).initialize();
    await change('down');
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const insert = async (emails: string[]): Promise<void> => {
    const text = `insert into users (email, password_hash) select unnest($1::text[]), '!'`;
    await database.query(text, [emails]);
  };
  const change = async (direction: 'up' | 'down'): Promise<void> => {
    const queryRunner = dataSource.createQueryRunner();
    await queryRunner.startTransaction();
    try {
      await new CanonicalEmails1763600002010()[direction](queryRunner);
      await queryRunner.commitTransaction();
    } catch (error) {
      await queryRunner.rollbackTransaction();
      throw error;
    } finally {
      await queryRunner.release();
    }
  };

  it('computes the form of every user there is, and can be undone', async () => {
    await insert([...TYPED, ...Array.from({ length: 6_000 }, (_, i) => `USER-${i}@example.com`)]);
    await change('up');
    const stored = await database.query<{ email: string; canonical: string }>(
      'select email, canonical_email as canonical from users order by id',
    );
    expect(stored.slice(0, 3)).toEqual([
      { email: TYPED[0], canonical: 'ada@example.com' },
      { email: TYPED[1], canonical: 'vi\u0307ctor@example.com' },
      { email: TYPED[2], canonical: 'jos\u00e9@example.com' },
    ]);
    expect(stored.at(-1)).toEqual({ email: 'USER-5999@example.com', canonical: 'user-5999@example.com' });
    await change('down');
    await expect(insert(['ada@example.com'])).rejects.toThrow('users_email_key');
  });

  it('names users who share an e-mail, and changes nothing', async () => {
    await insert(['jos\u00e9@example.com', 'other@example.com', 'jose\u0301@example.com']);
    await expect(change('up')).rejects.toThrow('by id: 1, 3; change all but one');
    expect(await database.query('select email from users')).toHaveLength(3);
    await database.query(`update users set email = 'jose@example.com' where id = 3`);
    await change('up');
  });
});
