import { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateProductTags1763900000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table product_tags (
        product_id bigint not null,
        tag character varying(30) not null,
        constraint product_tags_pkey primary key (product_id, tag),
        constraint product_tags_product_id_fkey foreign key (product_id) references products (id) on delete cascade
      )`);
    await queryRunner.query('create index product_tags_tag on product_tags (tag, product_id)');
    await queryRunner.query(
      'create function "product_tags_product_id_next_version_insert"() returns trigger language plpgsql as $$ begin with held as (select id from "products" where id in (select "product_id" from added) order by id for no key update) update "products" as parent set version = version + 1, updated_at = greatest(updated_at, clock_timestamp()) from held where parent.id = held.id; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "product_tags_product_id_next_version_insert" after insert on "product_tags" referencing new table as added for each statement execute function "product_tags_product_id_next_version_insert"()',
    );
    await queryRunner.query(
      'create function "product_tags_product_id_next_version_update"() returns trigger language plpgsql as $$ begin with held as (select id from "products" where id in (select "product_id" from taken union all select "product_id" from added) order by id for no key update) update "products" as parent set version = version + 1, updated_at = greatest(updated_at, clock_timestamp()) from held where parent.id = held.id; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "product_tags_product_id_next_version_update" after update on "product_tags" referencing old table as taken new table as added for each statement execute function "product_tags_product_id_next_version_update"()',
    );
    await queryRunner.query(
      'create function "product_tags_product_id_next_version_delete"() returns trigger language plpgsql as $$ begin with held as (select id from "products" where id in (select "product_id" from taken) order by id for no key update) update "products" as parent set version = version + 1, updated_at = greatest(updated_at, clock_timestamp()) from held where parent.id = held.id; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "product_tags_product_id_next_version_delete" after delete on "product_tags" referencing old table as taken for each statement execute function "product_tags_product_id_next_version_delete"()',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop trigger "product_tags_product_id_next_version_insert" on "product_tags"');
    await queryRunner.query('drop trigger "product_tags_product_id_next_version_update" on "product_tags"');
    await queryRunner.query('drop trigger "product_tags_product_id_next_version_delete" on "product_tags"');
    await queryRunner.query('drop function "product_tags_product_id_next_version_insert"()');
    await queryRunner.query('drop function "product_tags_product_id_next_version_update"()');
    await queryRunner.query('drop function "product_tags_product_id_next_version_delete"()');
    await queryRunner.query('drop table product_tags');
  }
}
