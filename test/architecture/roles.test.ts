import { DataSource } from 'typeorm';

import { AllowTheRoleAuditor1763800000000 } from '../../packages/core/test/examples/1763800000000-allow-the-role-auditor.js';
import { createDatabase, TestDatabase } from '../support/databases.js';

describe('the migration of packages/core/docs/access-control.md#adding-a-permission-or-a-role', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  const insert = (): Promise<unknown> =>
    database.query(
      `insert into users (email, canonical_email, password_hash, role) values ('a@example.com', 'a@example.com', 'x', 'auditor')`,
    );

  it('lets users have the new role, and can be reverted', async () => {
    await expect(insert()).rejects.toThrow('users_role_known');
    const dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    const queryRunner = dataSource.createQueryRunner();
    const migration = new AllowTheRoleAuditor1763800000000();
    try {
      await migration.up(queryRunner);
      await expect(insert()).resolves.toEqual([]);
      await database.query(`delete from users where role = 'auditor'`);
      await migration.down(queryRunner);
      await expect(insert()).rejects.toThrow('users_role_known');
    } finally {
      await queryRunner.release();
      await dataSource.destroy();
    }
  });
});
