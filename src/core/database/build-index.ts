import { QueryRunner } from 'typeorm';

const NAME = /^create (?:unique )?index concurrently if not exists (\S+) on /;

/**
 * Builds an index outside a transaction, anew where a build was given up before. One that is whole is kept: requests
 * may need it by now. Released migrations rely on this.
 *
 * @param statement `create index concurrently if not exists <name> on …`
 */
export async function buildIndex(queryRunner: QueryRunner, statement: string): Promise<void> {
  const name = NAME.exec(statement)?.[1];
  if (name === undefined) throw new Error(`not "create index concurrently if not exists": ${statement}`);
  const state = 'select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)';
  const [found] = (await queryRunner.query(state, [name])) as { isValid: boolean }[];
  if (found?.isValid) return;
  if (found) await queryRunner.query(`drop index concurrently if exists ${name}`);
  await queryRunner.query(statement);
}
