import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { MigrationInterface } from 'typeorm';

type Class<Instance = object> = new () => Instance;

/**
 * Runs the project's `nest build`, unless the option `no-build` is set. @throws Error if the project does not compile
 */
export function buildProject(root: string, { 'no-build': isBuilt = false } = {}): void {
  if (!existsSync(join(root, 'nest-cli.json')))
    throw new Error(`There is no nest-cli.json in ${root}: run plinth in the folder of a project.`);
  if (isBuilt) return;
  removeLeftOvers(root);
  const nest = createRequire(join(root, 'package.json')).resolve('@nestjs/cli/bin/nest.js');
  const options = { cwd: root, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [nest, 'build'], options);
  if (status !== 0) throw new Error(`The project does not compile:\n${stdout}${stderr}`.trimEnd());
}

/** Removes compiled files without a source. Otherwise a deleted entity, for example, would still be found. */
function removeLeftOvers(root: string): void {
  const compiled = join(root, 'dist');
  if (!existsSync(compiled)) return;
  for (const entry of readdirSync(compiled, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
    const file = join(entry.parentPath, entry.name);
    const source = join(root, relative(compiled, file).replace(/\.js$/, '.ts'));
    if (!existsSync(source)) rmSync(file);
  }
}

/** Loads a compiled file of the project. @param file its path in `dist/` */
export async function loadCompiled<Exports>(root: string, file: string): Promise<Exports> {
  const path = join(root, 'dist', file);
  if (!existsSync(path))
    throw new Error(
      `There is no dist/${file}: the project needs a ${file.replace(/js$/, 'ts')}, and must be compiled.`,
    );
  return (await import(pathToFileURL(path).href)) as Exports;
}

export const loadAppModule = async (root: string): Promise<Class> =>
  (await loadCompiled<{ AppModule: Class }>(root, 'src/app.module.js')).AppModule;

export const loadMigrations = async (root: string): Promise<Class<MigrationInterface>[]> =>
  (await loadCompiled<{ MIGRATIONS: Class<MigrationInterface>[] }>(root, 'src/migrations/migrations.js'))
    .MIGRATIONS;

/** Returns the folders that contain the compiled files of the project and of `@plinth/core`. */
export const compiledFolders = (root: string): string[] => [
  join(root, 'dist/src'),
  fileURLToPath(new URL('.', import.meta.resolve('@plinth/core'))),
];
