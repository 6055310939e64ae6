/**
 * The import law: who may import whom in src/. `test/architecture/import-law.test.ts` holds the code to it; by hand:
 * `npx depcruise src`. The reasons are in docs/architecture.md.
 */

const { readdirSync } = require('node:fs');

/** The features that come with the service, and the features that each may import: of them, only what `PUBLIC` names. */
const BELOW = {
  auth: ['users'],
  reviews: ['products', 'users'],
  orders: ['products', 'users'],
  products: [],
  users: [],
};

/** What a feature shows to others: its service, entity, resource and module, what it answers with and its errors. */
const PUBLIC = String.raw`\.(module|service|entity|resource|dto|errors)\.ts$`;

/**
 * The base layers, from the bottom up: each may import those before it. What none of the lists below names (auth, docs,
 * operations, workers) is imported by the files at the top of src/ alone, where the service is put together.
 */
const BASE = [
  'config',
  'telemetry',
  'redis',
  'http',
  'fields',
  'database',
  'access',
  'lists',
  'resources',
  'routes',
  'websockets',
];

/** Folders that are no features. */
const OTHERS = { grants: BASE, operations: BASE, workers: [...BASE, 'operations'], docs: BASE };

/** Every other folder of src/ is a feature that a team has added: it may import the others, but `auth`. No cycles. */
const ADDED = readdirSync('src', { withFileTypes: true })
  .filter(
    (entry) =>
      entry.isDirectory() && ![...BASE, ...Object.keys({ ...OTHERS, ...BELOW })].includes(entry.name),
  )
  .map(({ name }) => name);
const FEATURES = [...Object.keys(BELOW), ...ADDED];

const belowOf = (feature) =>
  BELOW[feature] ?? FEATURES.filter((other) => other !== feature && other !== 'auth');

/** Each folder of src/, and the folders it may import beside itself. */
const MAY_IMPORT = {
  ...Object.fromEntries(BASE.map((name, i) => [name, BASE.slice(0, i)])),
  ...OTHERS,
  ...Object.fromEntries(FEATURES.map((name) => [name, [...BASE, 'grants', ...belowOf(name)]])),
};

const layers = Object.entries(MAY_IMPORT).map(([folder, others]) => ({
  name: `layer-${folder}`,
  comment: `src/${folder}/ may import ${others.length > 0 ? others.join(', ') : 'nothing else of src/'}.`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/(${[folder, ...others].join('|')})/` },
}));

const internals = FEATURES.map((feature) => ({
  name: `internals-of-${feature}`,
  comment:
    'Of another feature only its public files may be imported, and of any file its types, by `import type`.',
  severity: 'error',
  from: { path: '^src/[^/]+/', pathNot: `^src/${feature}/` },
  to: {
    path: `^src/${feature}/`,
    pathNot: PUBLIC,
    dependencyTypesNot: ['type-only'],
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...layers,
    ...internals,
    {
      name: 'docs-factory-only',
      severity: 'error',
      from: { path: '^src/[^/]+$', pathNot: String.raw`^src/app\.factory\.ts$` },
      to: { path: '^src/docs/' },
    },
    {
      name: 'docs-database-errors-only',
      severity: 'error',
      from: { path: '^src/docs/' },
      to: { path: '^src/database/', pathNot: String.raw`\.errors\.ts$` },
    },
    {
      name: 'src-stands-alone',
      comment:
        'What surrounds the service is not a part of it; the embedded database is loaded on demand, outside production.',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        path: '^(packages|tools|bench|scripts|test)/',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'no-top-of-src',
      comment: 'What the service is put together from does not know what it is put together to.',
      severity: 'error',
      from: { path: '^src/[^/]+/' },
      to: { path: '^src/[^/]+$' },
    },
    {
      name: 'no-circular',
      comment: 'Not by types alone either: files that need each other are one file, or three.',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'typeorm-in-its-place',
      severity: 'error',
      from: {
        path: '^src/',
        // The program asks the application for the data source that it migrates.
        pathNot: String.raw`^src/(database|fields|resources)/|\.(entity|repository)\.ts$|^src/service\.ts$`,
      },
      to: { path: '^node_modules/typeorm/|^typeorm$' },
    },
    {
      name: 'pg-in-its-place',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/database/' },
      to: { path: '^node_modules/pg/|^pg$' },
    },
    {
      name: 'nestjs-typeorm-in-modules',
      severity: 'error',
      from: { path: '^src/', pathNot: String.raw`\.(module|repository)\.ts$` },
      to: { path: '^node_modules/@nestjs/typeorm/|^@nestjs/typeorm$' },
    },
    {
      name: 'no-development-packages',
      severity: 'error',
      from: { path: '^src/', pathNot: String.raw`\.test\.ts$` },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    { name: 'resolvable', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: String.raw`\.test\.ts$` },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default', 'types'],
    },
  },
};
