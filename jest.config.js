import { availableParallelism } from 'node:os';

/**
 * Jest 30 on Node 20 without flags: the project's files, which are ES modules, are turned into CommonJS by SWC; packages
 * are loaded by Node.js as they are, once for each worker (test/support/jest/runtime.mjs).
 * The projects are the suites: `operations` is that of `npm run test:operations`, the others those of `npm test`. Run one
 * with `npx jest --selectProjects e2e`.
 */
const commonjs = (parser, transform, sourceMaps) => [
  '<rootDir>/test/support/jest/transformer.mjs',
  {
    jsc: { parser, target: 'es2022', transform, keepClassNames: true },
    module: { type: 'commonjs' },
    sourceMaps,
  },
];

const shared = {
  rootDir: import.meta.dirname,
  // One cache of compiled files for all of them, and no walk through node_modules for each.
  id: 'service',
  roots: ['src', 'packages', 'seed', 'bench', 'test'].map((name) => `<rootDir>/${name}`),
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  runtime: '<rootDir>/test/support/jest/runtime.mjs',
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons', 'require', 'default'] },
  transform: {
    '\\.ts$': commonjs(
      { syntax: 'typescript', decorators: true },
      { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      'inline',
    ),
    '\\.m?js$': commonjs({ syntax: 'ecmascript' }, {}, false),
  },
  moduleNameMapper: {
    '^@plinth/core$': '<rootDir>/packages/core/src/index.ts',
    '^@plinth/core/(.*)$': '<rootDir>/packages/core/src/$1.ts',
    '^@plinth/dev/embedded-database$': '<rootDir>/packages/dev/src/embedded-postgres/embedded-database.ts',
    '^@plinth/dev/seed$': '<rootDir>/packages/dev/src/seed/seed.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
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
      displayName: 'operations',
      testMatch: ['<rootDir>/test/operations/**/*.test.ts'],
    },
  ],
};
