/**
 * `node scripts/prune-packages.mjs <node_modules>`: removes from installed packages what no running service reads:
 * source maps, types, pages, and what is for browsers and compilers. Licences stay. The Dockerfile runs it.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Packages, or folders of packages, that nothing imports when the service runs, each with the reason. */
const UNUSED = [
  // The compiler plugin of @nestjs/swagger alone takes it.
  'typescript',
  '@typescript',
  '@types',
  // Builds for browsers and bundlers.
  'typeorm/browser',
  'rxjs/dist/esm',
  'rxjs/dist/esm5',
  'rxjs/dist/bundles',
  'rxjs/src',
  'class-validator/bundles',
  'class-validator/esm5',
  'class-validator/esm2015',
  'class-transformer/bundles',
  'class-transformer/esm5',
  'class-transformer/esm2015',
  'libphonenumber-js/bundle',
  'lodash/fp',
  // Swagger UI is served from the bundles.
  'swagger-ui-dist/swagger-ui.js',
  'swagger-ui-dist/swagger-ui-es-bundle.js',
  'swagger-ui-dist/swagger-ui-es-bundle-core.js',
];
const UNREAD =
  /\.(?:map|d\.[cm]?ts|md|markdown|tsbuildinfo|flow)$|^(?:\.github|\.eslintrc.*|tsconfig.*\.json)$/;

const [folder] = process.argv.slice(2);
if (folder === undefined || !existsSync(folder)) {
  console.error('takes the folder of installed packages');
  process.exit(2);
}
for (const path of UNUSED) rmSync(join(folder, path), { recursive: true, force: true });
prune(folder);

function prune(path) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (UNREAD.test(entry.name) && !/licen[cs]e/i.test(entry.name)) rmSync(inner, { recursive: true });
    else if (entry.isDirectory()) prune(inner);
  }
}
