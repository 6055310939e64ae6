import { DataSource, MigrationInterface, QueryRunner } from 'typeorm';

import { Finding, findingsIn, LINT_RULES, LintRule, statementsIn } from './lint-rules.js';

/** A migration and the text of its file, where comments may waive a finding. */
export interface LintedMigration {
  readonly migration: new () => MigrationInterface;
  readonly source: string;
}

interface Waiver extends Finding {
  isUsed: boolean;
}

/** `// lint-migration allow <rule> <table or table.column>: <reason>` */
const WAIVER = /\/\/ lint-migration allow (\S+) (\S+): ./g;
const ANY_WAIVER = /lint-migration/g;

/**
 * Runs migrations one after the other on an empty database and judges what each does to the tables that were there
 * before it.
 *
 * @returns a line for each statement that breaks a rule of `LINT_RULES`, and for each waiver that waives nothing
 */
export async function lintMigrations(
  dataSource: DataSource,
  migrations: readonly LintedMigration[],
): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  const lines: string[] = [];
  try {
    for (const each of migrations) lines.push(...(await lintMigration(runner, each)));
  } finally {
    await runner.release();
  }
  return lines;
}

/**
 * The statements of a migration that the lint is going to refuse, as far as their texts show.
 *
 * @returns a line for each rule and table
 */
export function refusalsOf(statements: readonly string[]): string[] {
  const all = statements.flatMap(statementsIn);
  const made = new Set(all.map((statement) => /^create table (\w+)/.exec(statement)?.[1]));
  const lines = all
    .flatMap(findingsIn)
    .filter(({ subject }) => !made.has(subject.split('.')[0]))
    .map(({ rule, subject }) => `${rule} ${subject}: ${LINT_RULES[rule]}`);
  return [...new Set(lines)];
}

async function lintMigration(
  runner: QueryRunner,
  { migration: Migration, source }: LintedMigration,
): Promise<string[]> {
  const waivers = waiversIn(source);
  const instance = new Migration();
  const found = new Map<string, Finding>();
  await watched(runner, found, async () => {
    if (instance.transaction === false) return instance.up(runner);
    await runner.startTransaction();
    await instance.up(runner);
    await runner.commitTransaction();
  });
  const lines: string[] = [];
  for (const { rule, subject } of found.values()) {
    const waiver = waivers.find((candidate) => candidate.rule === rule && candidate.subject === subject);
    if (waiver) waiver.isUsed = true;
    else lines.push(`${Migration.name}: ${rule} ${subject}: ${LINT_RULES[rule]}`);
  }
  const stale = waivers.filter(({ isUsed }) => !isUsed);
  lines.push(
    ...stale.map(({ rule, subject }) => `${Migration.name}: waives ${rule} ${subject}, which it does not do`),
  );
  const unread = (source.match(ANY_WAIVER)?.length ?? 0) - waivers.length;
  if (unread > 0)
    lines.push(
      `${Migration.name}: a waiver is written "lint-migration allow <rule> <table or table.column>: <reason>"`,
    );
  return lines;
}

function waiversIn(source: string): Waiver[] {
  return [...source.matchAll(WAIVER)].map(([, rule = '', subject = '']) => ({
    rule: rule as LintRule,
    subject,
    isUsed: false,
  }));
}

/** Runs a migration, and looks at each of its statements and at what it does to the tables that are there before. */
async function watched(
  runner: QueryRunner,
  found: Map<string, Finding>,
  work: () => Promise<unknown>,
): Promise<void> {
  const query = runner.query.bind(runner);
  const before = await filesOf(query);
  const note = (finding: Finding): void => {
    const [table = ''] = finding.subject.split('.');
    if (before.has(table)) found.set(`${finding.rule} ${finding.subject}`, finding);
  };
  const watching = async (text: string, ...rest: [never]): Promise<unknown> => {
    for (const finding of statementsIn(text).flatMap(findingsIn)) {
      if (finding.rule !== 'not-null-scans' || !(await isChecked(query, finding.subject))) note(finding);
    }
    return query(text, ...rest) as Promise<unknown>;
  };
  runner.query = watching as QueryRunner['query'];
  try {
    await work();
  } finally {
    runner.query = query;
  }
  // PostgreSQL writes a table anew into another file.
  for (const [table, file] of await filesOf(query))
    if (before.has(table) && before.get(table) !== file) note({ rule: 'rewrites-table', subject: table });
}

type Query = QueryRunner['query'];

/** The file of each table, and 0 for each view. */
async function filesOf(query: Query): Promise<Map<string, number>> {
  const text = `
    select relname as name, relfilenode::int8::int as file from pg_class
    where relkind in ('r', 'p', 'v', 'm') and relnamespace = current_schema()::regnamespace`;
  const rows = (await query(text)) as { name: string; file: number }[];
  return new Map(rows.map(({ name, file }) => [name, file]));
}

/**
 * Whether a constraint that holds for every row says already that a column is not null: PostgreSQL looks at no row
 * then.
 */
async function isChecked(query: Query, subject: string): Promise<boolean> {
  const [table, column] = subject.split('.');
  const text = `
    select pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = to_regclass($1) and contype = 'c' and convalidated`;
  const rows = (await query(text, [table])) as { definition: string }[];
  return rows.some(({ definition }) => definition.replaceAll('"', '') === `CHECK ((${column} IS NOT NULL))`);
}
