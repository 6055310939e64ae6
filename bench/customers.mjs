/** Creates users with orders and reviews, with SQL in the database of the servers. */

const CUSTOMERS = 200;
const ORDERS_EACH = 50;
const REVIEWED = 200;
const REVIEWS_EACH = 50;
const DOMAIN = 'customers.example.com';

/** Users who cannot log in. */
const USERS = `insert into users (email, canonical_email, password_hash, name)
  select 'customer-' || n || '@${DOMAIN}', 'customer-' || n || '@${DOMAIN}', '!', 'Customer ' || n from generate_series(1, ${CUSTOMERS}) as n`;

const NUMBERED_USERS = `customer as (
    select id, row_number() over (order by id)::int as n from users where email like 'customer-%@${DOMAIN}'
  )`;

/** Inserted in the order of time, so that the rows of a user are as scattered as in a table that has grown. */
const ORDERS = `with ${NUMBERED_USERS}, product as (
    select id, name, price, row_number() over (order by id) - 1 as place from products
  ), line as (
    select customer.id as user_id, timestamptz '2025-01-01' + turn * interval '1 day' + customer.n * interval '1 minute' as at,
      product.id as product_id, product.name, product.price, 1 + (turn + k) % 5 as quantity
    from generate_series(1, ${ORDERS_EACH}) as turn
    cross join customer
    cross join generate_series(1, (select least(3, count(*))::int from products)) as k
    join product on place = (customer.n * 7919 + turn * 613 + k) % (select count(*) from products)
  ), placed as (
    insert into orders (user_id, status, total, created_at, updated_at)
    select user_id, (array['pending', 'paid', 'shipped', 'delivered'])[1 + user_id % 4], sum(price * quantity), at, at
    from line group by user_id, at order by at
    returning id, user_id, created_at
  )
  insert into order_items (order_id, user_id, product_id, product_name, unit_price, quantity, created_at, updated_at)
  select placed.id, user_id, product_id, line.name, line.price, line.quantity, at, at
  from line join placed using (user_id) where placed.created_at = line.at order by at, placed.id`;

const REVIEWS = `with ${NUMBERED_USERS}, product as (
    select id, row_number() over ()::int as place
    from (select id from products order by md5(id::text) limit ${REVIEWED}) as chosen
  ), review as (
    select product.id as product_id, customer.id as user_id, 1 + (customer.n * 7 + place) % 5 as rating,
      timestamptz '2025-01-01' + customer.n * interval '1 day' + place * interval '1 minute' as at
    from product join customer on (customer.n + place) % ${CUSTOMERS / REVIEWS_EACH} = 0
  )
  insert into reviews (product_id, user_id, rating, comment, created_at, updated_at)
  select product_id, user_id, rating, 'As described, and it arrived on the day that was promised.', at, at
  from review order by at, product_id`;

/**
 * Creates the rows in one transaction, unless they exist.
 * @param {import('pg').Client} client
 */
export async function seedCustomers(client) {
  const exists = `select exists (select from users where email like 'customer-%@${DOMAIN}') as "isSeeded"`;
  const { rows } = await client.query(exists);
  if (rows[0].isSeeded) return;
  await client.query('begin');
  try {
    for (const statement of [USERS, ORDERS, REVIEWS]) await client.query(statement);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
