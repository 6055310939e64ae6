import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ProjectFile } from '../project-files.js';
import { MigrationPart } from './migration-parts.js';

const FOLDER = 'src/migrations';
const LIST = `${FOLDER}/migrations.ts`;

/** `add-suppliers` → `AddSuppliers`. */
const classNameOf = (name: string): string =>
  name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * The files of migrations that run one after the other: themselves, and the list that has them from now on.
 *
 * @param root of the project
 * @param time in milliseconds; a later one is taken where migrations that are there have later ones
 * @throws Error where there is a migration of that name
 */
export function migrationFiles(root: string, parts: readonly MigrationPart[], time: number): ProjectFile[] {
  const present = readdirSync(join(root, FOLDER)).filter((file) => /^\d{13}-/.test(file));
  const last = Math.max(0, ...present.map((file) => Number(file.slice(0, 13))));
  let list = readFileSync(join(root, LIST), 'utf8');
  const files = parts.map((part, i) => {
    const same = present.find((file) => file.slice(14) === `${part.name}.ts`);
    if (same) throw new Error(`${FOLDER}/${same}: there is a migration of that name`);
    const timestamp = String(Math.max(time, last + 1) + i);
    const className = classNameOf(part.name) + timestamp;
    list = withMigration(list, className, `${timestamp}-${part.name}`);
    return { path: `${FOLDER}/${timestamp}-${part.name}.ts`, text: migrationText(className, part) };
  });
  return [...files, { path: LIST, text: list }];
}

function migrationText(className: string, { up, down, isInTransaction }: MigrationPart): string {
  const body = (statements: readonly string[]): string =>
    statements.map((statement) => `    await ${callOf(statement)};\n`).join('');
  const imports = up.some(isBuild) ? `import { buildIndex } from '../core/index.js';\n\n` : '';
  return `import { MigrationInterface, QueryRunner } from 'typeorm';

${imports}export class ${className} implements MigrationInterface {
${isInTransaction ? '' : '  readonly transaction = false;\n\n'}  async up(queryRunner: QueryRunner): Promise<void> {
${body(up)}  }

  async down(queryRunner: QueryRunner): Promise<void> {
${body(down)}  }
}
`;
}

const isBuild = (statement: string): boolean => /^create (?:unique )?index concurrently /.test(statement);

const callOf = (statement: string): string =>
  isBuild(statement)
    ? `buildIndex(queryRunner, ${literal(statement)})`
    : `queryRunner.query(${literal(statement)})`;

/** A statement as TypeScript: in backquotes where it has quotes or several lines. */
function literal(statement: string): string {
  if (!/['\n\\]/.test(statement)) return `'${statement}'`;
  const text = statement.replaceAll(/[\\`]|\$\{/g, (match) => `\\${match}`);
  return text.includes('\n') ? `\`\n${text.replaceAll(/^/gm, '      ')}\`` : `\`${text}\``;
}

function withMigration(list: string, className: string, file: string): string {
  const imports = list.lastIndexOf('\nimport ');
  const end = list.indexOf('\n', imports + 1);
  const withImport = `${list.slice(0, end)}\nimport { ${className} } from './${file}.js';${list.slice(end)}`;
  return withImport.replace(/,?\s*\];/, `, ${className}];`);
}
