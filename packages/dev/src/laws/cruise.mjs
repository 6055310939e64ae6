import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

// Checks the rules for imports in src/. Prints the violations in the current folder as a JSON array of lines. This is a
// separate program, because Jest cannot load packages that consist only of ES modules.
const rule = (name, to, from = {}) => ({ name, severity: 'error', from: { path: '^src/', ...from }, to });
const forbidden = [
  rule(
    '@plinth/core/auth is for src/auth and src/users',
    { path: String.raw`(@plinth|packages)/core/(src|dist)/auth\.[jt]s$` },
    { pathNot: '^src/(auth|users)/' },
  ),
  rule('it is not installed in production: see dependencies in package.json', {
    pathNot: 'node_modules/@types/',
    dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
    dependencyTypesNot: ['npm', 'type-only'],
  }),
  rule('it cannot be resolved', { couldNotResolve: true, dependencyTypesNot: ['type-only'] }),
];
const { output } = await cruise(
  ['src'],
  {
    ruleSet: { forbidden },
    validate: true,
    // Checks which entry points of the base are imported, but not the base itself.
    doNotFollow: { path: '(^|/)(node_modules|packages)/' },
    exclude: { path: String.raw`\.test\.ts$` },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
  { exportsFields: ['exports'], conditionNames: ['@plinth/source', 'import', 'node', 'default', 'types'] },
  { tsConfig: extractTSConfig('tsconfig.json') },
);
if (output.summary.totalCruised === 0) throw new Error('src/ has no sources, or typescript is not installed');
const lines = output.summary.violations.map(({ rule, from, to }) => `${from} → ${to}: ${rule.name}`);
process.stdout.write(JSON.stringify(lines));
