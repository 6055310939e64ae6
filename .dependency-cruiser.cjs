/**
 * The import law of the base: which of its folders may import which. `test/architecture/import-law.test.ts` holds the
 * code to it; by hand: `npx depcruise src`. Modules of an application are bound by the last two rules alone.
 */

/** The folders of the base, from the bottom up: each may import those before it. */
const BASE = [
  'config',
  'redis',
  'http',
  'fields',
  'database',
  'access',
  'lists',
  'resources',
  'accounts',
  'sessions',
  'api-keys',
  'routes',
  'websockets',
];

/** Folders beside them, which files at the top of src/ put together, and what each may import. */
const AROUND = { grants: BASE, operations: BASE, docs: BASE, app: [...BASE, 'grants', 'operations', 'docs'] };

const MAY_IMPORT = { ...Object.fromEntries(BASE.map((name, i) => [name, BASE.slice(0, i)])), ...AROUND };
const OF_BASE = '^src/core/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(MAY_IMPORT).map(([folder, others]) => ({
      name: `layer-${folder}`,
      comment: `src/core/${folder}/ may import ${others.join(', ') || 'nothing else of src/core/'}.`,
      severity: 'error',
      from: { path: `^src/core/${folder}/` },
      to: {
        path: '^src/',
        pathNot: `^src/core/(${[folder, ...others].join('|')})/`,
      },
    })),
    {
      name: 'public-names',
      comment:
        'What an application takes of the base is public: src/core/index.ts, and src/core/auth.ts for auth/ and users/.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: ['^src/core/', '^src/(auth|users)/'] },
      to: { path: '^src/core/', pathNot: '^src/core/index.ts$' },
    },
    {
      name: 'public-names-of-auth',
      severity: 'error',
      from: { path: '^src/(auth|users)/' },
      to: { path: '^src/core/', pathNot: '^src/core/(index|auth).ts$' },
    },
    {
      name: 'base-stands-alone',
      comment: 'The embedded database is loaded on demand, outside production.',
      severity: 'error',
      from: { path: OF_BASE },
      to: {
        path: '^(packages|tools|bench|scripts|test)/',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'no-circular',
      comment: 'Not by types alone either: files that need each other are one file, or three.',
      severity: 'error',
      from: { path: OF_BASE },
      to: { circular: true },
    },
    {
      name: 'pg-in-its-place',
      comment: 'One owner of connections.',
      severity: 'error',
      from: { path: OF_BASE, pathNot: '^src/core/database/' },
      to: { path: '^node_modules/pg/|^pg$' },
    },
    {
      name: 'no-development-packages',
      comment: 'They are not installed in production.',
      severity: 'error',
      from: { path: '^src/' },
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
