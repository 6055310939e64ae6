import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createDatabase, TestDatabase } from '../support/databases.js';
import { SECRET } from '../support/settings.js';

/** `npm test` builds dist/ with `nest build`. */
describe('the commands of NestJS and TypeORM', () => {
  let database: TestDatabase;
  let env: NodeJS.ProcessEnv;
  let folder: string;
  beforeAll(async () => {
    database = await createDatabase();
    folder = mkdtempSync(join(tmpdir(), 'nest-cli-'));
    const { PATH, HOME } = process.env;
    env = {
      NO_COLOR: '1',
      PATH,
      HOME,
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      JWT_SECRET: SECRET,
      DATA_DIR: folder,
      PORT: '0',
    };
  });
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('build and start the service with nest start --watch', async () => {
    const child = spawn('npx', ['nest', 'start', '--watch', '--path', 'tsconfig.unchecked.json'], {
      env,
      detached: true,
    });
    const exited = once(child, 'exit');
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (output += String(data)));
    const ended = exited.then(() => Promise.reject(new Error(output)));
    const serves = (async () => {
      while (!/ serves http/.test(output))
        await Promise.race([once(child.stderr, 'data'), once(child.stdout, 'data')]);
    })();
    await Promise.race([serves, ended]).finally(() => {
      process.kill(-child.pid!, 'SIGTERM');
    });
    await exited;
  });

  it('find the folder of modules with nest generate', () => {
    const args = ['nest', 'generate', 'module', 'invoices', '--dry-run'];
    const { status, stdout } = spawnSync('npx', args, { env, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(
        /CREATE\S* src\/invoices\/invoices\.module\.ts[^]*UPDATE\S* src\/app\.module\.ts/,
      ) as string,
    });
  });

  it('accept the data source of ormconfig.ts with typeorm', () => {
    const args = ['typeorm', '-d', 'dist/ormconfig.js', 'migration:show'];
    const { status, stdout, stderr } = spawnSync('npx', args, { env, encoding: 'utf8' });
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/\[X\] .*\d{13}/) as string,
      stderr: '',
    });
    expect(stdout).not.toContain('[ ]');
  });
});
