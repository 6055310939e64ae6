/**
 * The averages follow the reviews by what a statement added and took away: one UPDATE, whatever the number of reviews
 * there are. A trigger, so that it holds for every way in which reviews come and go, a user's deletion too. Products
 * are locked in the order of their ids, so that nobody waits in a ring.
 */
const followBy = (added: string, taken: string): string => `
  with changes as (
    select product_id, sum(count)::int as count, sum(rating)::int as rating
    from (${added} union all ${taken}) as change group by product_id
    having sum(count) <> 0 or sum(rating) <> 0
  ), held as (
    select id from products where id in (select product_id from changes) order by id for no key update
  )
  update products set
    review_count = review_count + changes.count,
    rating_sum = rating_sum + changes.rating,
    rating = round((rating_sum + changes.rating)::numeric / nullif(review_count + changes.count, 0), 2),
    version = version + 1,
    updated_at = greatest(updated_at, clock_timestamp())
  from changes, held where products.id = held.id and changes.product_id = held.id`;

const ADDED = 'select product_id, 1 as count, rating from added';
const TAKEN = 'select product_id, -1 as count, -rating as rating from taken';
const NOTHING = 'select null::int, null::int, null::int where false';

const EVENTS = [
  { event: 'insert', tables: 'new table as added', statement: followBy(ADDED, NOTHING) },
  { event: 'update', tables: 'old table as taken new table as added', statement: followBy(ADDED, TAKEN) },
  { event: 'delete', tables: 'old table as taken', statement: followBy(TAKEN, NOTHING) },
] as const;

/** The statements that make products follow their reviews. */
export const followReviews = (): string[] =>
  EVENTS.flatMap(({ event, tables, statement }) => {
    const name = `products_follow_review_${event}`;
    return [
      `create function ${name}() returns trigger language plpgsql as $$ begin ${statement}; return null; end $$`,
      `create trigger ${name} after ${event} on reviews referencing ${tables} for each statement execute function ${name}()`,
    ];
  });

/**
 * The statements that give orders new versions where a deleted product has left their lines: all of them by one UPDATE,
 * in the order of their ids.
 */
export const followOrders = (): string[] => [
  `create function orders_follow_removed_product() returns trigger language plpgsql as $$ begin
     with held as (
       select id from orders where id in (
         select added.order_id from added join taken using (id)
         where taken.product_id is not null and added.product_id is null
       ) order by id for no key update
     )
     update orders set version = version + 1, updated_at = greatest(updated_at, clock_timestamp())
     from held where orders.id = held.id;
     return null;
   end $$`,
  `create trigger orders_follow_removed_product after update on order_items
   referencing old table as taken new table as added for each statement execute function orders_follow_removed_product()`,
];
