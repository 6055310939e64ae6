/** The products of a shop as shops are: skewed, with values that lie together. The README describes them. */

/** The same share of 0 to 1 for a row and a purpose in every run. */
const share = (purpose) => `(hashint8extended(n, ${purpose}) & 1048575) / 1048576.0`;

const WORDS = [
  'walnut desk shade linen base cable switch plain wide narrow round',
  'oak table bowl glazed stone fired kiln heavy light small large',
  'steel frame hook wall shelf bracket screw matt black white grey',
  'wool rug woven hand dyed soft warm thick thin long short fringe',
].map((text) => text.split(' '));

const word = (list, purpose) =>
  `(array[${WORDS[list].map((one) => `'${one}'`).join(', ')}])[1 + floor(${share(purpose)} * ${WORDS[list].length})::int]`;

/** @param {number} count of the rows, at least 10,000 */
const insertion = (count) => `
  insert into products (name, price, category, in_stock, rating, rating_sum, review_count, description, created_at, updated_at)
  select initcap(prefix) || ' ' || ${word(0, 1)} || ' ' || ${word(1, 2)} || case when ${share(3)} < 0.5 then ' lamp ' else ' stand ' end || n,
    price,
    case
      when n in (${[0.2, 0.5, 0.8].map((part) => Math.round(count * part)).join(', ')}) then 'trio'
      when is_sold_out then 'cat-' || 1 + n / 1000 % 5
      when price >= 480 then 'cat-21'
      when rating < 1.1 then 'cat-22'
      when n <= ${count} / 50 then 'cat-20'
      when category_share < 0.6 then 'everything'
      when category_share < 0.61 then null
      else 'cat-' || 1 + floor((category_share - 0.61) / 0.39 * 19)::int
    end,
    not is_sold_out, rating, case when rating is null then 0 else round(rating * 8) end, case when rating is null then 0 else 8 end,
    concat_ws(' ', ${[4, 5, 6, 7, 8, 9, 10, 11].map((purpose) => word(purpose % 4, purpose)).join(', ')},
      case when n % (${count} / 5) = 11 then 'zyzzyva' end, case when ${share(12)} < 0.01 then 'brass' end,
      case when price >= 470 then 'relic' end),
    created_at, created_at
  from (
    select n, n % 1000 = 7 as is_sold_out, ${share(13)} as category_share,
      timestamptz '2025-01-01' + n * (interval '600 days' / ${count}) as created_at,
      case when is_common_price then 9.99 else round((0.5 + 499 * power(${share(14)}, 2))::numeric, 2) end as price,
      case when n % 1000 = 7 then 'aa' when is_common_price then 'zeppelin' else chr(98 + floor(${share(15)} * 24)::int) || ${word(2, 16)} end as prefix,
      case when ${share(17)} >= 0.4 then round((1 + 4 * ${share(18)})::numeric, 2) end as rating
    from (select n, ${share(19)} < 0.3 and n % 1000 <> 7 as is_common_price from generate_series(1, ${count}) as n) as priced
  ) as numbered`;

/**
 * Fills the table of products, if it is empty. Building indexes on the rows takes a third of the time.
 * @param {import('pg').Client} client
 * @param {number} count
 */
export async function seedShop(client, count) {
  const { rows } = await client.query('select exists (select from products) as "isSeeded"');
  if (rows[0].isSeeded) return;
  const indexes = await client.query(
    `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = 'products'::regclass and not indisprimary`,
  );
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`);
  await client.query(insertion(count));
  for (const { definition } of indexes.rows) await client.query(definition);
  await client.query('vacuum (analyze, freeze) products, products_totals, products_total_changes');
}
