/** Compiles the client into dist/: as ES modules and as CommonJS, each with its types. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const folder = import.meta.dirname;
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));

rmSync(join(folder, 'dist'), { recursive: true, force: true });
for (const project of ['tsconfig.json', 'tsconfig.cjs.json']) {
  const { status } = spawnSync(process.execPath, [join(typescript, 'bin/tsc'), '-p', project], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
writeFileSync(join(folder, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
