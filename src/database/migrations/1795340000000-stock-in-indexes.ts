import { MigrationInterface, QueryRunner } from 'typeorm';

/** The sorts of products, as `create-products` names their indexes within a category, with what those include. */
const SORTS: readonly (readonly [name: string, expression: string, ...included: string[]])[] = [
  ['created_at', 'created_at'],
  ['price', 'price'],
  ['name', 'name'],
  ['rating_asc', `coalesce(rating, 'Infinity'::numeric)`, 'rating'],
  ['rating_desc', `coalesce(rating, '-Infinity'::numeric)`, 'rating'],
];

/** The indexes of products within a category tell what is in stock: no row is read to be skipped. */
export class StockInIndexes1795340000000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, expression, ...included] of SORTS)
      await build(queryRunner, `${name}_stock`, expression, [...included, 'in_stock']);
    for (const [name] of SORTS) await drop(queryRunner, name);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name, expression, ...included] of SORTS) await build(queryRunner, name, expression, included);
    for (const [name] of SORTS) await drop(queryRunner, `${name}_stock`);
  }
}

/** Builds an index, anew where a build was given up before. One that is whole is kept: requests may need it by now. */
async function build(
  queryRunner: QueryRunner,
  name: string,
  expression: string,
  included: readonly string[],
): Promise<void> {
  const state = `select indisvalid as "isValid" from pg_index where indexrelid = to_regclass('products_category_${name}')`;
  const [found] = (await queryRunner.query(state)) as { isValid: boolean }[];
  if (found?.isValid) return;
  await drop(queryRunner, name);
  const include = included.length > 0 ? ` include (${included.join(', ')})` : '';
  await queryRunner.query(
    `create index concurrently if not exists products_category_${name} on products (category, ${expression}, id)${include}`,
  );
}

async function drop(queryRunner: QueryRunner, name: string): Promise<void> {
  await queryRunner.query(`drop index concurrently if exists products_category_${name}`);
}
