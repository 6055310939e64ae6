import { availableParallelism } from 'node:os';

import { LOADING } from './packages/dev/src/jest/index.mjs';

/**
 * Each Jest project is a suite. `npm run test:operations` runs `operations`, and `npm test` runs the others. Run a single
 * one with `npx jest --selectProjects e2e`. Files are loaded by packages/dev/src/jest, as in every project on the base.
 */
const shared = {
  ...LOADING,
  rootDir: import.meta.dirname,
  // Gives all projects one cache of compiled files. Without `id`, Jest would scan the files once for each project.
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
  // One more worker than cores, because files that start and stop services spend half of their time waiting. At least
  // two, so that test files never run in this process: a crashing file must not end the run.
  maxWorkers: availableParallelism() + 1,
  // A worker has nothing open when it ends, but it takes longer than Jest's half second to free its memory.
  workerGracefulExitTimeout: 30_000,
  // Only ends tests that hang. No test depends on its value.
  testTimeout: 300_000,
  testSequencer: '<rootDir>/test/support/jest/sequencer.mjs',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{src,packages,bench}/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '/test/examples/'],
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
    {
      ...shared,
      ...withDatabase,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/e2e/**/*.test.ts', '<rootDir>/packages/core/test/examples/**/*.test.ts'],
    },
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
