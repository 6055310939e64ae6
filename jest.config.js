import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/**
 * Jest 30 on Node 20 without flags: whatever is an ES module, in node_modules too, is turned into CommonJS by SWC.
 * The projects are the suites of `npm test`; run one with `npx jest --selectProjects e2e`.
 */
const commonjs = (parser, transform, sourceMaps) => [
  '@swc/jest',
  {
    jsc: { parser, target: 'es2022', transform, keepClassNames: true },
    module: { type: 'commonjs' },
    sourceMaps,
  },
];

/** The names of the installed packages whose `.js` files are ES modules. The others are loaded as they are. */
function namesOfModules(folder, scope = '') {
  return readdirSync(folder, { withFileTypes: true }).flatMap(({ name }) => {
    if (name.startsWith('.')) return [];
    if (name.startsWith('@')) return namesOfModules(`${folder}/${name}`, `${name}/`);
    const nested = scope + name;
    const { type } = manifestOf(`${folder}/${name}`);
    return [...(type === 'module' ? [nested] : []), ...nestedModules(`${folder}/${name}/node_modules`)];
  });
}

function nestedModules(folder) {
  try {
    return namesOfModules(folder);
  } catch {
    return [];
  }
}

function manifestOf(folder) {
  try {
    return JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  } catch {
    return {};
  }
}

const modules = namesOfModules(`${import.meta.dirname}/node_modules`).join('|');

const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons', 'require', 'default'] },
  transform: {
    '\\.ts$': commonjs(
      { syntax: 'typescript', decorators: true },
      { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      'inline',
    ),
    '\\.m?js$': commonjs({ syntax: 'ecmascript' }, {}, false),
  },
  transformIgnorePatterns: [`/node_modules/(?!.*/node_modules/)(?!(${modules})/).*(?<!\\.mjs)$`],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.data'],
};

const withDatabase = {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

export default {
  // One more than cores: files that start and stop services wait for half of their time. And never this process alone: a
  // file that crashes its worker must not end the run.
  maxWorkers: availableParallelism() + 1,
  // What hangs fails in the end; no test measures by it, and a busy machine takes its time.
  // A service that is already up may ask its clients to wait for a minute, more than once.
  testTimeout: process.env.E2E_BASE_URL ? 300_000 : 120_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{src,packages,tools,bench}/**/*.test.ts'],
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
  ],
};
