import { createHash } from 'node:crypto';
import { pageOf, rangeOf, toPage } from './pages.mjs';

const ITEM = `json_build_object('id', i.id, 'orderId', i.order_id, 'productId', i.product_id,
  'productName', i.product_name, 'unitPrice', i.unit_price, 'quantity', i.quantity,
  'lineTotal', i.unit_price * i.quantity)`;
const COLUMNS = `o.id, o.user_id as "userId", o.status, o.total::float8 as total,
  o.created_at as "createdAt", o.updated_at as "updatedAt"`;

const SQL = {
  // The page is selected before its items, so that items of skipped rows are not read.
  page: `select ${COLUMNS}, (select count(*)::int from orders where user_id = $3) as "listTotal",
      (select json_agg(${ITEM} order by i.id) from order_items i where i.order_id = o.id) as items
    from (select * from orders where user_id = $3 order by created_at desc, id desc limit $1 offset $2) as o
    order by o.created_at desc, o.id desc`,
  products: `select id, name, price from products where id = any($1::bigint[]) and in_stock
    order by id for key share`,
  // One statement stores the order and its items, and returns them.
  place: `with line as (
      select * from unnest($2::bigint[], $3::text[], $4::numeric[], $5::int[])
        with ordinality as line (product_id, product_name, unit_price, quantity, place)
    ), o as (
      insert into orders (user_id, total) select $1::bigint, sum(unit_price * quantity) from line returning *
    ), i as (
      insert into order_items (order_id, user_id, product_id, product_name, unit_price, quantity)
      select o.id, o.user_id, product_id, product_name, unit_price, quantity from o, line order by place
      returning *
    )
    select ${COLUMNS}, (select json_agg(${ITEM} order by i.id) from i) as items from o`,
  keep: `insert into idempotency_keys (caller, key, fingerprint, status, headers, sealed_json)
    values ($1, $2, $3, 201, $4, $5) on conflict do nothing returning 1`,
  kept: 'select fingerprint, headers, sealed_json as json from idempotency_keys where caller = $1 and key = $2',
};

const order = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    userId: { type: 'integer' },
    status: { type: 'string' },
    total: { type: 'number' },
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          orderId: { type: 'integer' },
          productId: { type: 'integer', nullable: true },
          productName: { type: 'string' },
          unitPrice: { type: 'number' },
          quantity: { type: 'integer' },
          lineTotal: { type: 'number' },
        },
      },
    },
    createdAt: { type: 'string', format: 'date-time' },
    updatedAt: { type: 'string', format: 'date-time' },
  },
};

const CALLER = 'baseline';

/** Thrown to roll back a transaction whose idempotency key was used before. */
class KeyTaken extends Error {}

const digest = (text) => createHash('sha256').update(text).digest('base64url');

/** @param {import('fastify').FastifyInstance} app */
export async function orderRoutes(app, { query, transaction }) {
  app.get('/users/:id/orders', { schema: { response: { 200: pageOf(order) } } }, async (request) => {
    const range = rangeOf(request.query);
    const values = [range.limit, range.offset, Number(request.params.id)];
    return toPage(await query('order-page', SQL.page, values), range);
  });

  app.post('/users/:id/orders', { schema: { response: { 201: order } } }, async (request, reply) => {
    const key = request.headers['idempotency-key'];
    reply.code(201);
    if (key) return placeOnce(key, request, reply);
    const placed = await transaction((on) => place(request, on));
    reply.header('location', `${request.url}/${placed.id}`);
    return placed;
  });

  async function place({ params, body }, on) {
    const ids = body.items.map(({ productId }) => productId);
    const products = new Map((await on('order-products', SQL.products, [ids])).map((row) => [row.id, row]));
    const names = ids.map((id) => products.get(id).name);
    const prices = ids.map((id) => products.get(id).price);
    const quantities = body.items.map(({ quantity }) => quantity);
    const [placed] = await on('order-place', SQL.place, [Number(params.id), ids, names, prices, quantities]);
    return placed;
  }

  /** Stores the response in the transaction of the order. A conflict of the primary key means that the key was used. */
  async function placeOnce(key, request, reply) {
    const fingerprint = digest(JSON.stringify([request.url, request.body]));
    const { headers, json } = await transaction(async (on) => {
      const placed = await place(request, on);
      const answer = {
        headers: { location: `${request.url}/${placed.id}` },
        json: reply.serialize(placed),
      };
      const values = [CALLER, key, fingerprint, JSON.stringify(answer.headers), Buffer.from(answer.json)];
      if ((await on('order-keep', SQL.keep, values)).length === 0) throw new KeyTaken();
      return answer;
    }).catch((error) => keptAnswer(error, key, fingerprint));
    return reply.headers(headers).type('application/json; charset=utf-8').send(json);
  }

  async function keptAnswer(error, key, fingerprint) {
    if (!(error instanceof KeyTaken)) throw error;
    const [kept] = await query('order-kept', SQL.kept, [CALLER, key]);
    if (kept.fingerprint !== fingerprint) throw new Error('the key was used for another request');
    return kept;
  }
}
