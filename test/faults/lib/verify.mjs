/** Orders with an Idempotency-Key have a line of the first product, all others one of the second. */
export const KEYED_PRODUCT = 1;
export const PLAIN_PRODUCT = 2;

/**
 * Compares a ledger with the database: `lost` lists acknowledged writes that are not stored, `half` writes that are stored in
 * part, acknowledged or not.
 *
 * @param options `hasSessions`: sessions are in the database
 */
export async function verify(database, ledger, { hasSessions = true } = {}) {
  const checks = [products, orders, keyedOrders, reviews, apiKeys, logins, users];
  const results = [];
  for (const check of checks) results.push(await check(database, ledger, { hasSessions }));
  return {
    lost: results.flatMap(({ lost = [] }) => lost),
    half: results.flatMap(({ half = [] }) => half),
  };
}

async function products(database, { products: acknowledged, patched }) {
  const rows = await database.query('select id, name, category from products where name = any($1)', [
    [...acknowledged.keys()],
  ]);
  const found = new Map(rows.map((row) => [row.name, row]));
  const lost = [];
  for (const [name, { id, isRemoved }] of acknowledged) {
    const row = found.get(name);
    if (isRemoved === true && row) lost.push(`the deletion of product ${id}`);
    if (!isRemoved && !row) lost.push(`product ${id} "${name}"`);
    const category = patched.get(id);
    if (row && category && row.category !== category)
      lost.push(`the PATCH of product ${id} to "${category}"`);
  }
  return { lost };
}

async function orders(database, { orders: acknowledged, cancelled }) {
  const rows = await database.query(
    `select o.id, o.status, count(i.id)::int as lines,
       o.total = coalesce(sum(i.unit_price * i.quantity), 0) as "isTotalRight"
     from orders o left join order_items i on i.order_id = o.id group by o.id`,
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  const lost = [];
  const half = [];
  for (const { id, lines, isTotalRight } of rows) {
    const expected = acknowledged.get(id) ?? lines;
    if (lines === 0 || lines !== expected) half.push(`order ${id} has ${lines} lines`);
    else if (!isTotalRight) half.push(`the total of order ${id} differs from its lines`);
  }
  for (const id of acknowledged.keys()) if (!found.has(id)) lost.push(`order ${id}`);
  for (const id of cancelled)
    if (found.get(id)?.status !== 'cancelled') lost.push(`the cancellation of order ${id}`);
  return { lost, half };
}

/** Each stored response belongs to one order, and each order with a key to one stored response. */
async function keyedOrders(database) {
  const [counts] = await database.query(
    `select (select count(*)::int from order_items where product_id = $1) as orders,
       (select count(*)::int from idempotency_keys) as answers`,
    [KEYED_PRODUCT],
  );
  if (counts.orders === counts.answers) return {};
  return { half: [`${counts.answers} stored responses for ${counts.orders} orders with a key`] };
}

async function reviews(database, { reviews: acknowledged }) {
  const rows = await database.query('select id, rating from reviews where id = any($1)', [
    [...acknowledged.keys()],
  ]);
  const found = new Map(rows.map(({ id, rating }) => [id, rating]));
  const lost = [];
  for (const [id, ratings] of acknowledged) {
    if (!found.has(id)) lost.push(`review ${id}`);
    else if (!ratings.includes(found.get(id)))
      lost.push(`the PATCH of review ${id} to ${ratings.join(' or ')}`);
  }
  const wrong = await database.query(
    `select p.id from products p left join reviews r on r.product_id = p.id group by p.id
     having p.review_count <> count(r.id) or p.rating_sum <> coalesce(sum(r.rating), 0)
       or p.rating is distinct from round(avg(r.rating), 2)`,
  );
  return { lost, half: wrong.map(({ id }) => `the average of product ${id} differs from its reviews`) };
}

async function apiKeys(database, { apiKeys: acknowledged }) {
  const rows = await database.query('select name from api_keys');
  const found = new Set(rows.map(({ name }) => name));
  const lost = [];
  for (const [name, { isRemoved }] of acknowledged) {
    if (isRemoved === true && found.has(name)) lost.push(`the deletion of API key ${name}`);
    if (!isRemoved && !found.has(name)) lost.push(`API key ${name}`);
  }
  return { lost };
}

async function logins(database, { sessions, freshTokens, usedTokens }, { hasSessions }) {
  const stored = await database.query(`select encode(digest, 'hex') as digest from sessions`);
  const tokens = await database.query(
    `select encode(digest, 'hex') as digest, used_at is not null as "isUsed" from refresh_tokens`,
  );
  const found = new Set(stored.map(({ digest }) => digest));
  const isUsed = new Map(tokens.map(({ digest, isUsed: used }) => [digest, used]));
  const lost = [];
  if (hasSessions) for (const digest of sessions) if (!found.has(digest)) lost.push(`session ${digest}`);
  for (const digest of freshTokens) if (isUsed.get(digest) !== false) lost.push(`refresh token ${digest}`);
  for (const digest of usedTokens)
    if (isUsed.get(digest) === false) lost.push(`the replacement of refresh token ${digest}`);
  const without = await database.query(
    `select id from logins l where not exists (select from refresh_tokens t where t.login_id = l.id)`,
  );
  return { lost, half: without.map(({ id }) => `login ${id} has no refresh token`) };
}

async function users(database, { emails }) {
  const rows = await database.query('select email from users where email = any($1)', [[...emails]]);
  const found = new Set(rows.map(({ email }) => email));
  return { lost: [...emails].filter((email) => !found.has(email)).map((email) => `user ${email}`) };
}
