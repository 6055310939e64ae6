import '../../src/config/access.js';
import { DataSource } from 'typeorm';

import { ROLES } from '../../packages/core/src/config/define-access.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { AllowTheRoleAuditor1763800000000 } from '../examples/1763800000000-allow-the-role-auditor.js';

describe('the roles that the table of users takes', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  const insert = (role: string): Promise<unknown> =>
    database.query(
      `insert into users (email, canonical_email, password_hash, role) values ($1, $1, 'x', $2)`,
      [`${role}@example.com`, role],
    );

  it.each(ROLES)('include %s: a role of the code without its migration fails here', async (role) => {
    await expect(insert(role)).resolves.toEqual([]);
  });

  // A service that has the role of the example has its migration too.
  const itWithoutAuditor = (ROLES as readonly string[]).includes('auditor') ? it.skip : it;

  itWithoutAuditor(
    'include a new one after the migration that packages/core/docs/adding-a-permission.md shows',
    async () => {
      await expect(insert('auditor')).rejects.toThrow('users_role_known');
      const dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
      const queryRunner = dataSource.createQueryRunner();
      const migration = new AllowTheRoleAuditor1763800000000();
      try {
        await migration.up(queryRunner);
        await expect(insert('auditor')).resolves.toEqual([]);
        await database.query(`delete from users where role = 'auditor'`);
        await migration.down(queryRunner);
        await expect(insert('auditor')).rejects.toThrow('users_role_known');
      } finally {
        await queryRunner.release();
        await dataSource.destroy();
      }
    },
  );
});
