import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ProjectFile } from '../project-files.js';

/** The statements of a migration, each list in its order of execution. */
export interface Statements {
  readonly up: readonly string[];
  readonly down: readonly string[];
}

/** Concatenates the statements of several parts. `down` has the parts in reverse order. */
export function concatStatements(parts: readonly Statements[]): Statements {
  return { up: parts.flatMap(({ up }) => up), down: parts.toReversed().flatMap(({ down }) => down) };
}

interface Migration extends Statements {
  readonly name: string;
  readonly isInTransaction: boolean;
}

const MIGRATIONS_FOLDER = 'src/migrations';
const MIGRATIONS_LIST = `${MIGRATIONS_FOLDER}/migrations.ts`;

/**
 * Returns the files of a migration, and the changed list of migrations.
 *
 * @param root of the project
 * @param name in words joined by `-`
 * @param time the timestamp in epoch milliseconds. If an existing migration is later, the time after it is used instead
 * @throws Error if there is a migration with that name
 */
export function migrationFiles(
  root: string,
  name: string,
  statements: Statements,
  time: number,
): ProjectFile[] {
  const present = readdirSync(join(root, MIGRATIONS_FOLDER)).filter((file) => /^\d{13}-/.test(file));
  const last = Math.max(0, ...present.map((file) => Number(file.slice(0, 13))));
  let list = readFileSync(join(root, MIGRATIONS_LIST), 'utf8');
  const files = withIndexesApart(name, statements).map((migration, i) => {
    const same = present.find((file) => file.slice(14) === `${migration.name}.ts`);
    if (same) throw new Error(`${MIGRATIONS_FOLDER}/${same}: a migration with that name already exists`);
    const timestamp = String(Math.max(time, last + 1) + i);
    const file = `${timestamp}-${migration.name}`;
    const words = migration.name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
    const className = words + timestamp;
    list = list
      .replace('\n\n', `\nimport { ${className} } from './${file}.js';\n\n`)
      .replace(/,?\s*\];/, `, ${className}];`);
    return { path: `${MIGRATIONS_FOLDER}/${file}.ts`, text: migrationText(className, migration) };
  });
  return [...files, { path: MIGRATIONS_LIST, text: list }];
}

/**
 * Moves the indexes on existing tables to a migration of their own, which runs without a transaction. That migration
 * builds the indexes concurrently, so that the tables can be written meanwhile. It can run again after an interruption.
 */
function withIndexesApart(name: string, { up, down }: Statements): Migration[] {
  const tables = new Set(up.map((statement) => /^create table (\S+)/i.exec(statement)?.[1]));
  const builds = new Map<string, string>();
  const names: string[] = [];
  for (const statement of up) {
    const [, unique = '', index = '', table, keys] =
      /^create (unique )?index (\S+) on (\S+) (.*)$/i.exec(statement) ?? [];
    if (table === undefined || tables.has(table)) continue;
    names.push(index);
    builds.set(
      statement,
      `create ${unique.toLowerCase()}index concurrently if not exists ${index} on ${table} ${keys}`,
    );
  }
  const isOfBuilds = (statement: string): boolean =>
    names.includes(/^drop index (?:"public"\.)?(\S+)$/i.exec(statement)?.[1] ?? '');
  const rest = {
    up: up.filter((statement) => !builds.has(statement)),
    down: down.filter((statement) => !isOfBuilds(statement)),
  };
  const isRest = rest.up.length + rest.down.length > 0;
  const indexes = {
    up: [...builds.values()],
    down: names.map((index) => `drop index concurrently if exists ${index}`).toReversed(),
  };
  return [
    ...(isRest ? [{ name, ...rest, isInTransaction: true }] : []),
    ...(builds.size > 0
      ? [{ name: isRest ? `${name}-indexes` : name, ...indexes, isInTransaction: false }]
      : []),
  ];
}

function migrationText(className: string, { up, down, isInTransaction }: Migration): string {
  const body = (statements: readonly string[]): string =>
    statements
      .map((statement) => {
        const text = `\`${statement.replaceAll(/[\\`]|\$\{/g, '\\$&')}\``;
        const isBuild = / concurrently if not exists /.test(statement);
        return `    await ${isBuild ? `buildIndex(queryRunner, ${text})` : `queryRunner.query(${text})`};\n`;
      })
      .join('');
  const [imported, transaction] = isInTransaction
    ? ['', '']
    : [`import { buildIndex } from '@plinth/core';\n\n`, '  readonly transaction = false;\n\n'];
  return `import { MigrationInterface, QueryRunner } from 'typeorm';

${imported}export class ${className} implements MigrationInterface {
${transaction}  async up(queryRunner: QueryRunner): Promise<void> {
${body(up)}  }

  async down(queryRunner: QueryRunner): Promise<void> {
${body(down)}  }
}
`;
}
