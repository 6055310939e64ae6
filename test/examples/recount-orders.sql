-- Counts the totals of `orders` anew, in one transaction: until it ends, the lock keeps changes from being summed up.
-- For another list take the names of its tables, and the columns of its table of changes but for `n`. Two take more:
-- with `totals: []` the key is `jsonb_build_array(0)::text`, without `group by`; where the table has a deletion date,
-- such as `deleted_at`, count `from … where deleted_at is null`.

begin;
-- Counting, and waiting for the lock, may take longer than statements otherwise may.
set local statement_timeout = 0;
select pg_advisory_xact_lock(hashtext('totals'), hashtext('orders'));

-- HERE a statement that gets by the triggers may stand: then nobody sees a wrong total. What locks tables, as
-- attaching and detaching do, locks them until the count ends: where requests must not wait for it, commit it before.
-- Without such a statement nobody waits.

-- One statement: what is written meanwhile is neither counted here nor among the changes that go.
with gone as (
  delete from orders_total_changes
), counted as (
  select jsonb_build_array(grouping(user_id, status), user_id, status)::text as key, count(*) as n
  from orders group by cube (user_id, status)
), others as (
  delete from orders_totals as t where not exists (select from counted as c where c.key = t.key)
)
insert into orders_totals (key, n) select key, n from counted on conflict (key) do update set n = excluded.n;
commit;
