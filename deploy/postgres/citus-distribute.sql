-- Distributes orders and order items by user_id over the workers of a Citus cluster (13 or later). All other tables stay on
-- the coordinator. packages/core/docs/distributed-postgresql.md says what this gains and what it costs.
--
-- Before: declare `totalsByTriggers: false` in the lists `orders` and `order-items`, generate the migration, deploy, and stop
-- the service. Then run this once on the coordinator, as the owner of the tables, and start the service:
--
--   psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -f deploy/postgres/citus-distribute.sql
--
-- It is one transaction: if a statement fails, nothing has changed. `-v shards=64` sets the number of shards (32).

\set ON_ERROR_STOP on
\if :{?shards} \else \set shards 32 \endif

begin;
-- One connection per worker, so that all shards are created in one transaction.
set local citus.multi_shard_modify_mode to 'sequential';

do $$ begin
  if to_regclass('orders_totals') is not null or to_regclass('order_items_totals') is not null then
    raise exception 'the lists of distributed tables must declare totalsByTriggers: false (got tables of totals)';
  end if;
end $$;

-- Triggers of distributed tables are not supported. The service sets versions itself, so only SQL by hand needs the
-- triggers of versions.
drop trigger orders_next_version on orders;
drop trigger order_items_next_version on order_items;
drop trigger orders_follow_item on order_items;

-- A unique constraint of a distributed table contains the column by which it is distributed.
alter table order_items
  drop constraint order_items_order_id_fkey,
  drop constraint order_items_product_id_fkey,
  drop constraint order_items_product_key,
  drop constraint order_items_pkey;
alter table orders
  drop constraint orders_user_id_fkey,
  drop constraint orders_id_user_id_key,
  drop constraint orders_pkey;
alter table orders add constraint orders_pkey primary key (user_id, id);
alter table order_items
  add constraint order_items_pkey primary key (user_id, order_id, id),
  add constraint order_items_product_key unique (user_id, order_id, product_id),
  add constraint order_items_order_id_fkey foreign key (user_id, order_id) references orders (user_id, id) on delete cascade;
create index orders_id on orders (id);
create index order_items_id on order_items (id);

select create_distributed_table('orders', 'user_id', shard_count := :shards);
select create_distributed_table('order_items', 'user_id', colocate_with := 'orders');

-- Triggers of the local tables replace the foreign keys to them. Placing an order locks its products, so that they cannot be
-- deleted at the same time. Nothing replaces the check that the user of a new order exists.
create function orders_keep_user() returns trigger language plpgsql as $$ begin
  if exists (select from orders where user_id = old.id) then
    raise exception 'update or delete on table "users" violates foreign key constraint "orders_user_id_fkey" on table "orders"'
      using errcode = '23503', constraint = 'orders_user_id_fkey', table = 'orders';
  end if;
  return old;
end $$;
create trigger orders_keep_user before delete on users for each row execute function orders_keep_user();

-- This function also sets the product of the items to null, as the foreign key did. Each statement joins by user_id.
create or replace function orders_follow_product() returns trigger language plpgsql as $$ begin
  update orders set version = version + 1, updated_at = greatest(updated_at, statement_timestamp())
  where exists (
    select from order_items i where i.user_id = orders.user_id and i.order_id = orders.id and i.product_id = old.id);
  update order_items set product_id = null, version = version + 1,
    updated_at = greatest(updated_at, statement_timestamp())
  where product_id = old.id;
  return old;
end $$;

commit;
