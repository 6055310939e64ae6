import { QueryRunner } from 'typeorm';

const INDEX_STATEMENT = /^create (?:unique )?index concurrently if not exists (\S+) on /;

/**
 * Builds an index while other sessions write to the table. If `create index concurrently` fails, an invalid index
 * remains, and `if not exists` then skips the statement. This function therefore drops an invalid index, and builds it
 * again. Use it in a migration with `transaction = false`. For a new table, a plain `create index` is enough.
 * @throws Error if the statement is not `create index concurrently if not exists …`
 * @example await buildIndex(queryRunner, 'create index concurrently if not exists "orders_note" on "orders" ("note")');
 */
export async function buildIndex(queryRunner: QueryRunner, statement: string): Promise<void> {
  const name = INDEX_STATEMENT.exec(statement)?.[1];
  if (name === undefined) throw new Error(`not "create index concurrently if not exists": ${statement}`);
  const state = 'select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)';
  const [found] = (await queryRunner.query(state, [name])) as { isValid: boolean }[];
  if (found?.isValid) return;
  if (found) await queryRunner.query(`drop index concurrently if exists ${name}`);
  await queryRunner.query(statement);
}
