import { readFileSync } from 'node:fs';

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
