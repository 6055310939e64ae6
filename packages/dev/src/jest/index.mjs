import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const file = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Turns ES modules into CommonJS by SWC: Jest runs those without flags. */
const swc = (parser, transform, sourceMaps) => [
  createRequire(import.meta.url).resolve('@swc/jest'),
  {
    jsc: { parser, target: 'es2022', transform, keepClassNames: true },
    module: { type: 'commonjs' },
    sourceMaps,
  },
];

/** How test files are loaded: sources are compiled by SWC, packages are loaded by Node.js, once for each worker. */
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
  // Packages on @plinth/core are compiled too: see `runtime.mjs`.
  transformIgnorePatterns: [],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
};

/**
 * The settings of Jest for a project on @plinth/core: every `*.test.ts` of `src/` and `test/`, with a PostgreSQL server
 * for the run, the one of `DATABASE_URL` or an embedded one that is removed at the end.
 *
 * @param overrides settings of Jest that replace these
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
