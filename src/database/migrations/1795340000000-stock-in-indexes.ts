import { MigrationInterface, QueryRunner } from 'typeorm';

import { buildIndex } from '../build-index.js';

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
      await buildIndex(queryRunner, indexOf(`${name}_stock`, expression, [...included, 'in_stock']));
    for (const [name] of SORTS) await drop(queryRunner, name);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name, expression, ...included] of SORTS)
      await buildIndex(queryRunner, indexOf(name, expression, included));
    for (const [name] of SORTS) await drop(queryRunner, `${name}_stock`);
  }
}

function indexOf(name: string, expression: string, included: readonly string[]): string {
  const include = included.length > 0 ? ` include (${included.join(', ')})` : '';
  return `create index concurrently if not exists products_category_${name} on products (category, ${expression}, id)${include}`;
}

async function drop(queryRunner: QueryRunner, name: string): Promise<void> {
  await queryRunner.query(`drop index concurrently if exists products_category_${name}`);
}
