import { QueryRunner } from 'typeorm';

const INDEX_STATEMENT = /^create (?:unique )?index concurrently if not exists (\S+) on /;

/**
 * Builds an index by `create index concurrently if not exists …`, outside a transaction; anew if one was given up.
 * @throws Error for a statement of another form
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
