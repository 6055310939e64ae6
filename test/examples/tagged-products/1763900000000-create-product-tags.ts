import { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateProductTags1763900000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table product_tags (
        product_id integer not null,
        tag character varying(30) not null,
        constraint product_tags_pkey primary key (product_id, tag),
        constraint product_tags_product_id_fkey foreign key (product_id) references products (id) on delete cascade
      )`);
    await queryRunner.query('create index product_tags_tag on product_tags (tag, product_id)');
    await queryRunner.query('create index products_name_prefix on products ((name collate "C"))');
    await queryRunner.query(`
      create index products_search on products
      using gin (to_tsvector('english', coalesce(name, '') || ' ' || coalesce(description, '')))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index products_search, products_name_prefix');
    await queryRunner.query('drop table product_tags');
  }
}
