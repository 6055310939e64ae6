import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { LintedMigration } from './lint.js';

type Migration = LintedMigration['migration'];

/** Migrations with the text of their files, found by the time in their names. @param folder of the sources */
export function withSources(folder: string, migrations: readonly Migration[]): LintedMigration[] {
  const files = readdirSync(folder);
  return migrations.map((migration) => {
    const [time = ''] = /\d{13}$/.exec(migration.name) ?? [];
    const file = files.find((name) => name.startsWith(`${time}-`));
    if (file === undefined) throw new Error(`${migration.name} has no file in ${folder}`);
    return { migration, source: readFileSync(join(folder, file), 'utf8') };
  });
}
