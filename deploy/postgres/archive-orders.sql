-- Creates the procedure archive.move_orders(), which moves old orders and their items into tables of the schema `archive`.
-- Run this file once, as the owner of the tables, then call the procedure regularly, such as every night:
--
--   psql "$OWNER_URL" -f deploy/postgres/archive-orders.sql
--   psql "$OWNER_URL" -c "call archive.move_orders(older_than => '24 months')"
--
-- The procedure commits after each batch. If it is interrupted, nothing is lost, and the next call continues. Orders that a
-- request has locked are left to the next call, so the procedure never waits for a request.

create schema if not exists archive;
create table if not exists archive.orders (like orders, primary key (id));
create table if not exists archive.order_items (like order_items, primary key (id));
create index if not exists order_items_order_id on archive.order_items (order_id);

-- Moves delivered and cancelled orders that are older than the interval. Other orders can still change, so they stay.
-- `batch_size` is the number of orders that one transaction moves.
create or replace procedure archive.move_orders(older_than interval, batch_size int default 1000)
language plpgsql as $$
declare
  _before constant timestamptz := now() - older_than;
  _status text;
  _ids bigint[];
begin
  if older_than < interval '1 month' or batch_size < 1 then
    raise exception 'older_than must be at least 1 month, and batch_size at least 1 (got % and %)', older_than, batch_size;
  end if;
  foreach _status in array array['delivered', 'cancelled'] loop
    loop
      -- A separate statement takes the locks: the next statements then read the rows as the lock protects them.
      _ids := array(
        select id from orders where status = _status and created_at < _before
        order by created_at, id limit batch_size for update skip locked);
      exit when cardinality(_ids) = 0;
      insert into archive.orders select * from orders where id = any(_ids);
      insert into archive.order_items select * from order_items where order_id = any(_ids);
      -- The foreign key of the items deletes them too.
      delete from orders where id = any(_ids);
      commit;
    end loop;
  end loop;
end $$;
