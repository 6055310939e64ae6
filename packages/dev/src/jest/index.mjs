import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const file = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Compiles ES modules to CommonJS with SWC, because Jest runs CommonJS without flags. */
const swc = (parser, transform, sourceMaps) => [
  createRequire(import.meta.url).resolve('@swc/jest'),
  {
    jsc: { parser, target: 'es2022', transform, keepClassNames: true },
    module: { type: 'commonjs' },
    sourceMaps,
  },
];

/** The settings that load test files: SWC compiles sources, and Node.js loads packages once for each worker. */
export const LOADING = {
  testEnvironment: file('environment.mjs'),
  runtime: file('runtime.mjs'),
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons', 'require', 'default'] },
  transform: {
    '\\.ts$': swc(
      { syntax: 'typescript', decorators: true },
      { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      'inline',
    ),
    '\\.m?js$': swc({ syntax: 'ecmascript' }, {}, false),
  },
  // Packages that depend on @plinth/core are compiled too: see `runtime.mjs`.
  transformIgnorePatterns: [],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
};

/**
 * Returns the Jest settings of a project on @plinth/core. They run every `*.test.ts` of `src/` and `test/`. The tests use
 * the PostgreSQL server of `DATABASE_URL`, or an embedded one that is removed at the end of the run.
 *
 * @param overrides Jest settings that replace these
 * @example export default jestConfig({ maxWorkers: 2 });
 */
export const jestConfig = (overrides = {}) => ({
  ...LOADING,
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  globalSetup: file('global-setup.mjs'),
  globalTeardown: file('global-teardown.mjs'),
  testTimeout: 60_000,
  ...overrides,
});
