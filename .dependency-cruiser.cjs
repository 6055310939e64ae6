/**
 * The import law of the base, packages/core: which of its folders may import which. `test/architecture/import-law.test.ts` holds the
 * code to it; by hand: `npx depcruise src packages`. Modules of an application are bound by public names, and by what
 * packages/dev/src/laws/cruise.mjs says of every application.
 */

/** The folders of the base, from the bottom up: each may import those before it. */
const BASE = [
  'nest',
  'config',
  'routes',
  'redis',
  'http',
  'fields',
  'database',
  'access',
  'lists',
  'resources',
  'mail',
  'accounts',
  'sessions',
  'api-keys',
  'websockets',
];

/** Folders beside them, which files at the top of src/ put together, and what each may import. */
const AROUND = { grants: BASE, operations: BASE, docs: BASE, app: [...BASE, 'grants', 'operations', 'docs'] };

const MAY_IMPORT = { ...Object.fromEntries(BASE.map((name, i) => [name, BASE.slice(0, i)])), ...AROUND };
const OF_BASE = '^packages/core/src/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(MAY_IMPORT).map(([folder, others]) => ({
      name: `layer-${folder}`,
      comment: `src/${folder}/ of the base may import ${others.join(', ') || 'nothing else of it'}; \`import type\` may import any.`,
      severity: 'error',
      from: { path: `${OF_BASE}${folder}/` },
      to: {
        path: '^(src|packages)/',
        pathNot: `${OF_BASE}(${[folder, ...others].join('|')})/`,
        // A type has no part in what runs: `RoutePolicy` lists the fields of all folders.
        dependencyTypesNot: ['type-only'],
      },
    })),
    {
      name: 'public-names',
      comment:
        'What an application takes of the base is public: what `exports` of packages/core/package.json names.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: OF_BASE, pathNot: `${OF_BASE}(index|auth|start).ts$` },
    },
    {
      name: 'base-stands-alone',
      comment: 'The embedded database is loaded on demand, outside production.',
      severity: 'error',
      from: { path: OF_BASE },
      to: {
        path: '^(src|packages/dev|seed|bench|scripts|test)/',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'no-circular',
      comment: 'Files that need each other are one file, or three. `import type` makes no cycle.',
      severity: 'error',
      from: { path: OF_BASE },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'pg-in-its-place',
      comment: 'One owner of connections.',
      severity: 'error',
      from: { path: OF_BASE, pathNot: `${OF_BASE}database/` },
      to: { path: '^node_modules/pg/|^pg$' },
    },
    {
      name: 'no-development-packages',
      comment: 'They are not installed in production.',
      severity: 'error',
      from: { path: OF_BASE },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'one-reader-of-nest-metadata',
      comment: 'NestJS does not promise its metadata keys: nest/route-metadata.ts reads them for all others.',
      severity: 'error',
      from: { path: OF_BASE, pathNot: `${OF_BASE}nest/` },
      to: { path: '@nestjs/(common|core|swagger|websockets)/(?!(dist/)?index[.])' },
    },
    { name: 'resolvable', severity: 'error', from: { path: OF_BASE }, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: String.raw`\.test\.ts$` },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@plinth/source', 'import', 'node', 'default', 'types'],
    },
  },
};
