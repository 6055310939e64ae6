import { availableParallelism } from 'node:os';

import { LOADING } from './packages/dev/src/jest/index.mjs';

/**
 * The projects are the suites: `operations` is that of `npm run test:operations`, the others those of `npm test`. Run one
 * with `npx jest --selectProjects e2e`. Files are loaded as those of every project on the base are: packages/dev/src/jest.
 */
const shared = {
  ...LOADING,
  rootDir: import.meta.dirname,
  // One cache of compiled files for all of them, and no walk through node_modules for each.
  id: 'service',
  roots: ['src', 'packages', 'seed', 'bench', 'test'].map((name) => `<rootDir>/${name}`),
  transform: Object.fromEntries(
    Object.entries(LOADING.transform).map(([files, [, options]]) => [
      files,
      ['<rootDir>/test/support/jest/transformer.mjs', options],
    ]),
  ),
  moduleNameMapper: {
    '^@plinth/core$': '<rootDir>/packages/core/src/index.ts',
    '^@plinth/core/(.*)$': '<rootDir>/packages/core/src/$1.ts',
    '^@plinth/dev/testing$': '<rootDir>/packages/dev/src/testing/index.ts',
    '^@plinth/dev/embedded-database$': '<rootDir>/packages/dev/src/embedded-postgres/embedded-database.ts',
    '^@plinth/dev/seed$': '<rootDir>/packages/dev/src/seed/seed.ts',
    ...LOADING.moduleNameMapper,
  },
};

const withDatabase = {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

export default {
  // One more than cores: files that start and stop services wait for half of their time. And never this process alone: a
  // file that crashes its worker must not end the run.
  maxWorkers: availableParallelism() + 1,
  // Nothing is open in a worker at its end, but giving its memory back takes longer than half a second.
  workerGracefulExitTimeout: 30_000,
  // What hangs fails in the end; no test measures by it.
  testTimeout: 300_000,
  testSequencer: '<rootDir>/test/support/jest/sequencer.mjs',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{src,packages,bench}/**/*.test.ts'],
    },
    {
      ...shared,
      ...withDatabase,
      displayName: 'integration',
      testMatch: ['<rootDir>/test/integration/**/*.test.ts'],
    },
    {
      ...shared,
      ...withDatabase,
      displayName: 'architecture',
      testMatch: ['<rootDir>/test/architecture/**/*.test.ts'],
    },
    {
      ...shared,
      ...withDatabase,
      displayName: 'interop',
      testMatch: ['<rootDir>/test/interop/**/*.test.ts'],
    },
    { ...shared, ...withDatabase, displayName: 'e2e', testMatch: ['<rootDir>/test/e2e/**/*.test.ts'] },
    {
      ...shared,
      ...withDatabase,
      displayName: 'application',
      testMatch: ['<rootDir>/test/application/**/*.test.ts'],
    },
    {
      ...shared,
      ...withDatabase,
      displayName: 'operations',
      testMatch: ['<rootDir>/test/operations/**/*.test.ts'],
    },
  ],
};
