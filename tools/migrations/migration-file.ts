import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ProjectFile } from '../project-files.js';
import { Statements } from './statements.js';

const FOLDER = 'src/database/migrations';
const LIST = `${FOLDER}/migrations.ts`;

/** `add-suppliers` → `AddSuppliers`. */
const classNameOf = (name: string): string =>
  name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * The files of a migration: itself, and the list that has it from now on.
 *
 * @param root of the project
 * @param time in milliseconds; a later one is taken where migrations that are there have later ones
 * @throws Error where there is a migration of that name
 */
export function migrationFiles(
  root: string,
  name: string,
  statements: Statements,
  time: number,
): ProjectFile[] {
  const present = readdirSync(join(root, FOLDER)).filter((file) => /^\d{13}-/.test(file));
  const same = present.find((file) => file.slice(14) === `${name}.ts`);
  if (same) throw new Error(`${FOLDER}/${same}: there is a migration of that name`);
  const last = Math.max(0, ...present.map((file) => Number(file.slice(0, 13))));
  const timestamp = String(Math.max(time, last + 1));
  const className = classNameOf(name) + timestamp;
  const list = readFileSync(join(root, LIST), 'utf8');
  return [
    { path: `${FOLDER}/${timestamp}-${name}.ts`, text: migrationText(className, statements) },
    { path: LIST, text: withMigration(list, className, `${timestamp}-${name}`) },
  ];
}

function migrationText(className: string, { up, down }: Statements): string {
  const body = (statements: readonly string[]): string =>
    statements.map((statement) => `    await queryRunner.query(${literal(statement)});\n`).join('');
  return `import { MigrationInterface, QueryRunner } from 'typeorm';

export class ${className} implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
${body(up)}  }

  async down(queryRunner: QueryRunner): Promise<void> {
${body(down)}  }
}
`;
}

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
  return withImport.replace(/\n\];/, `\n  ${className},\n];`);
}
