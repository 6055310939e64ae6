/**
 * The import law of the base: which folder of packages/core may import which. `test/architecture/import-law.test.ts` checks
 * it, and so does `npx depcruise src packages`. Applications may import only public names, and must follow
 * packages/dev/src/laws/cruise.mjs.
 */

/** The folders of the base, from the bottom up. Each may import those before it. */
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
  'jobs',
  'mail',
  'accounts',
  'sessions',
  'api-keys',
  'websockets',
];

/** Further folders, and what each may import. Files at the top of src/ combine them. */
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
        // Types do not exist at run time. `RoutePolicy`, for example, lists the fields of all folders.
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
      comment:
        'Merge files that import each other, or move the shared part to a third. `import type` is allowed.',
      severity: 'error',
      from: { path: OF_BASE },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'pg-in-its-place',
      comment: 'Only one place opens connections.',
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
      comment: 'NestJS may change its metadata keys, so only nest/route-metadata.ts reads them.',
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
