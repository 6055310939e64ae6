import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { suiteArguments } from '../../scripts/lib/jest.mjs';
import { leftovers } from '../support/leftovers.mjs';
import WorkerEnvironment from '../support/jest/environment.mjs';

describe('the environment of test files', () => {
  it('is the realm of Node.js itself and of packages', () => {
    let error: unknown;
    try {
      readFileSync('/is/not/there');
    } catch (thrown) {
      error = thrown;
    }
    expect(error instanceof Error).toBe(true);
    expect(structuredClone(new Date()) instanceof Date).toBe(true);
  });

  it('undoes what a file leaves in globals, environment variables and process', async () => {
    const { exit } = process;
    const { PATH } = process.env;
    const listener = (): undefined => undefined;
    const environment = new WorkerEnvironment({
      projectConfig: { testEnvironmentOptions: {}, fakeTimers: {} },
    });
    const globals = globalThis as Record<string, unknown>;
    globals['leftByATest'] = true;
    process.env['LEFT_BY_A_TEST'] = '1';
    process.env['PATH'] = '/nowhere';
    process.on('SIGUSR2', listener);
    process.exit = exit.bind(process);
    await environment.teardown();
    expect(globals).not.toHaveProperty('leftByATest');
    expect(process.env['LEFT_BY_A_TEST']).toBeUndefined();
    expect(process.env['PATH']).toBe(PATH);
    expect(process.listeners('SIGUSR2')).not.toContain(listener);
    expect(process.exit).toBe(exit);
  });
});

describe('N4: npm run test:operations', () => {
  it('runs the file that is named, not all of them', async () => {
    // A part of Jest, which brings it along.
    const { buildArgv } = createRequire(import.meta.url)('jest-cli') as {
      buildArgv(args: string[]): Promise<{ _: string[]; selectProjects: string[] }>;
    };
    const { _: files, selectProjects } = await buildArgv(suiteArguments('operations', ['tls.test.ts']));
    expect([files, selectProjects]).toEqual([['tls.test.ts'], ['operations']]);
  });
});

describe('N4: what a test run leaves behind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'leftovers-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('is found: files in its folder, and processes that were started with it', async () => {
    expect(await leftovers(folder, 0)).toEqual([]);
    writeFileSync(join(folder, 'jwt-secret'), '');
    const program = ['-e', 'process.stdin.resume()'];
    const child = spawn(process.execPath, program, { cwd: folder, stdio: ['pipe', 'ignore', 'inherit'] });
    await once(child, 'spawn');
    const runs = `still runs: ${child.pid} ${process.execPath} ${program.join(' ')}`;
    const file = 'left in the temporary folder: jwt-secret';
    expect(await leftovers(folder, 0)).toEqual(process.platform === 'linux' ? [runs, file] : [file]);
    child.stdin.end();
    await once(child, 'exit');
    expect(await leftovers(folder, 0)).toEqual([file]);
  });

  it('fails the run', () => {
    const own = mkdtempSync(join(folder, 'run-'));
    writeFileSync(join(own, 'jwt-secret'), '');
    const teardown = new URL('../support/global-teardown.mjs', import.meta.url).href;
    const program = `globalThis.testRun = ${JSON.stringify({ folder: own, outerFolder: folder })};
      await (await import(${JSON.stringify(teardown)})).default();`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program]);
    expect([status, String(stderr)]).toEqual([1, expect.stringContaining('temporary folder: jwt-secret')]);
    expect(existsSync(own)).toBe(false);
  });
});
