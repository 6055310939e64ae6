import { MigrationInterface, QueryRunner } from 'typeorm';

export class TotalsOfLists1795287506302 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'create table "order_items_total_changes" as select 1::bigint as "n" from "order_items" with no data',
    );
    await queryRunner.query(
      'create table "order_items_totals" ("key" text not null, "n" bigint not null, constraint "order_items_totals_pkey" primary key ("key")) with (fillfactor = 50)',
    );
    await queryRunner.query(
      'create function "order_items_totals_insert"() returns trigger language plpgsql as $$ begin insert into "order_items_total_changes" ("n") select count(*) from added having count(*) > 0; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "order_items_totals_insert" after insert on "order_items" referencing new table as added for each statement execute function "order_items_totals_insert"()',
    );
    await queryRunner.query(
      'create function "order_items_totals_delete"() returns trigger language plpgsql as $$ begin insert into "order_items_total_changes" ("n") select -count(*) from gone having count(*) > 0; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "order_items_totals_delete" after delete on "order_items" referencing old table as gone for each statement execute function "order_items_totals_delete"()',
    );
    await queryRunner.query(
      'create function "order_items_totals_truncate"() returns trigger language plpgsql as $$ begin truncate "order_items_total_changes", "order_items_totals"; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "order_items_totals_truncate" after truncate on "order_items" for each statement execute function "order_items_totals_truncate"()',
    );
    await queryRunner.query(
      'insert into "order_items_totals" as total ("key", "n") select jsonb_build_array(0)::text as "key", sum("n") from (select 1::bigint as "n" from "order_items") as counts having sum("n") <> 0 order by 1 on conflict ("key") do update set "n" = total."n" + excluded."n"',
    );
    await queryRunner.query(
      'create table "orders_total_changes" as select "user_id", "status", 1::bigint as "n" from "orders" with no data',
    );
    await queryRunner.query(
      'create table "orders_totals" ("key" text not null, "n" bigint not null, constraint "orders_totals_pkey" primary key ("key")) with (fillfactor = 50)',
    );
    await queryRunner.query(
      'create function "orders_totals_insert"() returns trigger language plpgsql as $$ begin insert into "orders_total_changes" ("user_id", "status", "n") select "user_id", "status", count(*) from added group by "user_id", "status"; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "orders_totals_insert" after insert on "orders" referencing new table as added for each statement execute function "orders_totals_insert"()',
    );
    await queryRunner.query(
      'create function "orders_totals_delete"() returns trigger language plpgsql as $$ begin insert into "orders_total_changes" ("user_id", "status", "n") select "user_id", "status", -count(*) from gone group by "user_id", "status"; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "orders_totals_delete" after delete on "orders" referencing old table as gone for each statement execute function "orders_totals_delete"()',
    );
    await queryRunner.query(
      'create function "orders_totals_update"() returns trigger language plpgsql as $$ begin insert into "orders_total_changes" ("user_id", "status", "n") select old."user_id", old."status", -1 union all select new."user_id", new."status", 1; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "orders_totals_update" after update on "orders" for each row when (row(old."user_id", old."status") is distinct from row(new."user_id", new."status")) execute function "orders_totals_update"()',
    );
    await queryRunner.query(
      'create function "orders_totals_truncate"() returns trigger language plpgsql as $$ begin truncate "orders_total_changes", "orders_totals"; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "orders_totals_truncate" after truncate on "orders" for each statement execute function "orders_totals_truncate"()',
    );
    await queryRunner.query(
      'insert into "orders_totals" as total ("key", "n") select jsonb_build_array(grouping("user_id", "status"), "user_id", "status")::text as "key", sum("n") from (select "user_id", "status", 1::bigint as "n" from "orders") as counts group by cube ("user_id", "status") having sum("n") <> 0 order by 1 on conflict ("key") do update set "n" = total."n" + excluded."n"',
    );
    await queryRunner.query(
      'create table "products_total_changes" as select "category", "in_stock", 1::bigint as "n" from "products" with no data',
    );
    await queryRunner.query(
      'create table "products_totals" ("key" text not null, "n" bigint not null, constraint "products_totals_pkey" primary key ("key")) with (fillfactor = 50)',
    );
    await queryRunner.query(
      'create function "products_totals_insert"() returns trigger language plpgsql as $$ begin insert into "products_total_changes" ("category", "in_stock", "n") select "category", "in_stock", count(*) from added group by "category", "in_stock"; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "products_totals_insert" after insert on "products" referencing new table as added for each statement execute function "products_totals_insert"()',
    );
    await queryRunner.query(
      'create function "products_totals_delete"() returns trigger language plpgsql as $$ begin insert into "products_total_changes" ("category", "in_stock", "n") select "category", "in_stock", -count(*) from gone group by "category", "in_stock"; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "products_totals_delete" after delete on "products" referencing old table as gone for each statement execute function "products_totals_delete"()',
    );
    await queryRunner.query(
      'create function "products_totals_update"() returns trigger language plpgsql as $$ begin insert into "products_total_changes" ("category", "in_stock", "n") select old."category", old."in_stock", -1 union all select new."category", new."in_stock", 1; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "products_totals_update" after update on "products" for each row when (row(old."category", old."in_stock") is distinct from row(new."category", new."in_stock")) execute function "products_totals_update"()',
    );
    await queryRunner.query(
      'create function "products_totals_truncate"() returns trigger language plpgsql as $$ begin truncate "products_total_changes", "products_totals"; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "products_totals_truncate" after truncate on "products" for each statement execute function "products_totals_truncate"()',
    );
    await queryRunner.query(
      'insert into "products_totals" as total ("key", "n") select jsonb_build_array(grouping("category", "in_stock"), "category", "in_stock")::text as "key", sum("n") from (select "category", "in_stock", 1::bigint as "n" from "products") as counts group by cube ("category", "in_stock") having sum("n") <> 0 order by 1 on conflict ("key") do update set "n" = total."n" + excluded."n"',
    );
    await queryRunner.query(
      'create table "reviews_total_changes" as select "product_id", "rating", 1::bigint as "n" from "reviews" with no data',
    );
    await queryRunner.query(
      'create table "reviews_totals" ("key" text not null, "n" bigint not null, constraint "reviews_totals_pkey" primary key ("key")) with (fillfactor = 50)',
    );
    await queryRunner.query(
      'create function "reviews_totals_insert"() returns trigger language plpgsql as $$ begin insert into "reviews_total_changes" ("product_id", "rating", "n") select "product_id", "rating", count(*) from added group by "product_id", "rating"; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "reviews_totals_insert" after insert on "reviews" referencing new table as added for each statement execute function "reviews_totals_insert"()',
    );
    await queryRunner.query(
      'create function "reviews_totals_delete"() returns trigger language plpgsql as $$ begin insert into "reviews_total_changes" ("product_id", "rating", "n") select "product_id", "rating", -count(*) from gone group by "product_id", "rating"; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "reviews_totals_delete" after delete on "reviews" referencing old table as gone for each statement execute function "reviews_totals_delete"()',
    );
    await queryRunner.query(
      'create function "reviews_totals_update"() returns trigger language plpgsql as $$ begin insert into "reviews_total_changes" ("product_id", "rating", "n") select old."product_id", old."rating", -1 union all select new."product_id", new."rating", 1; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "reviews_totals_update" after update on "reviews" for each row when (row(old."product_id", old."rating") is distinct from row(new."product_id", new."rating")) execute function "reviews_totals_update"()',
    );
    await queryRunner.query(
      'create function "reviews_totals_truncate"() returns trigger language plpgsql as $$ begin truncate "reviews_total_changes", "reviews_totals"; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "reviews_totals_truncate" after truncate on "reviews" for each statement execute function "reviews_totals_truncate"()',
    );
    await queryRunner.query(
      'insert into "reviews_totals" as total ("key", "n") select jsonb_build_array(grouping("product_id", "rating"), "product_id", "rating")::text as "key", sum("n") from (select "product_id", "rating", 1::bigint as "n" from "reviews") as counts group by cube ("product_id", "rating") having sum("n") <> 0 order by 1 on conflict ("key") do update set "n" = total."n" + excluded."n"',
    );
    await queryRunner.query(
      'create table "users_total_changes" as select "role", 1::bigint as "n" from "users" with no data',
    );
    await queryRunner.query(
      'create table "users_totals" ("key" text not null, "n" bigint not null, constraint "users_totals_pkey" primary key ("key")) with (fillfactor = 50)',
    );
    await queryRunner.query(
      'create function "users_totals_insert"() returns trigger language plpgsql as $$ begin insert into "users_total_changes" ("role", "n") select "role", count(*) from added group by "role"; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "users_totals_insert" after insert on "users" referencing new table as added for each statement execute function "users_totals_insert"()',
    );
    await queryRunner.query(
      'create function "users_totals_delete"() returns trigger language plpgsql as $$ begin insert into "users_total_changes" ("role", "n") select "role", -count(*) from gone group by "role"; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "users_totals_delete" after delete on "users" referencing old table as gone for each statement execute function "users_totals_delete"()',
    );
    await queryRunner.query(
      'create function "users_totals_update"() returns trigger language plpgsql as $$ begin insert into "users_total_changes" ("role", "n") select old."role", -1 union all select new."role", 1; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "users_totals_update" after update on "users" for each row when (row(old."role") is distinct from row(new."role")) execute function "users_totals_update"()',
    );
    await queryRunner.query(
      'create function "users_totals_truncate"() returns trigger language plpgsql as $$ begin truncate "users_total_changes", "users_totals"; return null; end $$',
    );
    await queryRunner.query(
      'create trigger "users_totals_truncate" after truncate on "users" for each statement execute function "users_totals_truncate"()',
    );
    await queryRunner.query(
      'insert into "users_totals" as total ("key", "n") select jsonb_build_array(grouping("role"), "role")::text as "key", sum("n") from (select "role", 1::bigint as "n" from "users") as counts group by cube ("role") having sum("n") <> 0 order by 1 on conflict ("key") do update set "n" = total."n" + excluded."n"',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop trigger "users_totals_insert" on "users"');
    await queryRunner.query('drop trigger "users_totals_delete" on "users"');
    await queryRunner.query('drop trigger "users_totals_update" on "users"');
    await queryRunner.query('drop trigger "users_totals_truncate" on "users"');
    await queryRunner.query('drop function "users_totals_insert"()');
    await queryRunner.query('drop function "users_totals_delete"()');
    await queryRunner.query('drop function "users_totals_update"()');
    await queryRunner.query('drop function "users_totals_truncate"()');
    await queryRunner.query('drop table "users_total_changes", "users_totals"');
    await queryRunner.query('drop trigger "reviews_totals_insert" on "reviews"');
    await queryRunner.query('drop trigger "reviews_totals_delete" on "reviews"');
    await queryRunner.query('drop trigger "reviews_totals_update" on "reviews"');
    await queryRunner.query('drop trigger "reviews_totals_truncate" on "reviews"');
    await queryRunner.query('drop function "reviews_totals_insert"()');
    await queryRunner.query('drop function "reviews_totals_delete"()');
    await queryRunner.query('drop function "reviews_totals_update"()');
    await queryRunner.query('drop function "reviews_totals_truncate"()');
    await queryRunner.query('drop table "reviews_total_changes", "reviews_totals"');
    await queryRunner.query('drop trigger "products_totals_insert" on "products"');
    await queryRunner.query('drop trigger "products_totals_delete" on "products"');
    await queryRunner.query('drop trigger "products_totals_update" on "products"');
    await queryRunner.query('drop trigger "products_totals_truncate" on "products"');
    await queryRunner.query('drop function "products_totals_insert"()');
    await queryRunner.query('drop function "products_totals_delete"()');
    await queryRunner.query('drop function "products_totals_update"()');
    await queryRunner.query('drop function "products_totals_truncate"()');
    await queryRunner.query('drop table "products_total_changes", "products_totals"');
    await queryRunner.query('drop trigger "orders_totals_insert" on "orders"');
    await queryRunner.query('drop trigger "orders_totals_delete" on "orders"');
    await queryRunner.query('drop trigger "orders_totals_update" on "orders"');
    await queryRunner.query('drop trigger "orders_totals_truncate" on "orders"');
    await queryRunner.query('drop function "orders_totals_insert"()');
    await queryRunner.query('drop function "orders_totals_delete"()');
    await queryRunner.query('drop function "orders_totals_update"()');
    await queryRunner.query('drop function "orders_totals_truncate"()');
    await queryRunner.query('drop table "orders_total_changes", "orders_totals"');
    await queryRunner.query('drop trigger "order_items_totals_insert" on "order_items"');
    await queryRunner.query('drop trigger "order_items_totals_delete" on "order_items"');
    await queryRunner.query('drop trigger "order_items_totals_truncate" on "order_items"');
    await queryRunner.query('drop function "order_items_totals_insert"()');
    await queryRunner.query('drop function "order_items_totals_delete"()');
    await queryRunner.query('drop function "order_items_totals_truncate"()');
    await queryRunner.query('drop table "order_items_total_changes", "order_items_totals"');
  }
}
