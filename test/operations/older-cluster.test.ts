import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { removeEmbeddedDatabase } from '../../packages/embedded-postgres-server/embedded-database.js';
import { hasDebianPostgres } from '../support/debian-postgres.js';
import { describeWithOwnService, skipping } from '../support/needs.js';
import { OlderRelease } from '../support/older-release.js';
import { ServiceProcess } from '../support/service-process.js';

const ADMIN = { email: 'admin@example.com', password: 'a password of the tests' };

const describeWithPostgres15 = hasDebianPostgres
  ? describeWithOwnService
  : skipping(describe, "needs Debian's PostgreSQL 15");

describeWithPostgres15('(issue 11) an embedded database that PostgreSQL 15 has made', () => {
  let older: OlderRelease;
  let dataDir: string;
  beforeAll(() => {
    older = new OlderRelease();
    dataDir = mkdtempSync(join(tmpdir(), 'older-cluster-'));
    older.makeCluster(join(dataDir, 'database'), 'a-password-of-the-tests');
  });
  afterAll(async () => {
    await removeEmbeddedDatabase(join(dataDir, 'database'));
    rmSync(dataDir, { recursive: true, force: true });
    older.remove();
  });

  it('is refused and left as it is', async () => {
    const settings = {
      NODE_ENV: 'test',
      DATA_DIR: dataDir,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
    };
    const before = await ServiceProcess.started(settings, { program: older.program('src/main.js') });
    before.kill('SIGTERM');
    expect(await before.exited).toBe(0);

    const refused = new ServiceProcess(settings);
    expect(await refused.exited).toBe(1);
    expect(refused.output).toMatch(/made by PostgreSQL 15 and \d+ is installed: dump it with pg_dump/);
    expect(readFileSync(join(dataDir, 'database/cluster/PG_VERSION'), 'utf8')).toBe('15\n');
  });
});
