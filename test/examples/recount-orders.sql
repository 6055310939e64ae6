-- Counts the totals of `orders` anew. Both statements are one transaction, which may begin with what goes past the triggers, such as
-- `detach partition`: then nobody sees a wrong total. Nobody waits for it but the summing up of changes.
-- For another list take the names of its tables, and the columns of its table of changes but for `n`.

select pg_advisory_xact_lock(hashtext('totals'), hashtext('orders'));
-- One statement: what is written meanwhile is neither counted here nor among the changes that go.
with gone as (
  delete from orders_total_changes
), counted as (
  select jsonb_build_array(grouping(user_id, status), user_id, status)::text as key, count(*) as n
  from orders group by cube (user_id, status)
), others as (
  delete from orders_totals where key not in (select key from counted)
)
insert into orders_totals (key, n) select key, n from counted on conflict (key) do update set n = excluded.n;
