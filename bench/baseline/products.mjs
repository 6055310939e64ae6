import { STATUS_CODES } from 'node:http';
import { pageOf, rangeOf, toPage } from './pages.mjs';

const COLUMNS = `id, name, price::float8 as price, category, in_stock as "inStock", rating::float8 as rating,
  created_at as "createdAt", updated_at as "updatedAt"`;

// Sorts by `products.price`, because `price` would mean the output column, for which there is no index.
const SQL = {
  get: `select ${COLUMNS} from products where id = $1`,
  page: `select ${COLUMNS}, (select count(*)::int from products) as "listTotal"
    from products order by created_at desc, id desc limit $1 offset $2`,
  filteredPage: `select ${COLUMNS}, (select count(*)::int from products where category = $3 and in_stock = $4) as "listTotal"
    from products where category = $3 and in_stock = $4 order by products.price asc, id asc limit $1 offset $2`,
  after: `select ${COLUMNS} from products where (created_at, id) < ($2, $3)
    order by created_at desc, id desc limit $1`,
  create: `insert into products
    (name, price, category, in_stock, rating_sum, review_count, version, created_at, updated_at)
    values ($1, $2, $3, true, 0, 0, 1, now(), now()) returning ${COLUMNS}`,
};

const product = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    price: { type: 'number' },
    inStock: { type: 'boolean' },
    category: { type: 'string', nullable: true },
    rating: { type: 'number', nullable: true },
    createdAt: { type: 'string', format: 'date-time' },
    updatedAt: { type: 'string', format: 'date-time' },
  },
};
const list = pageOf(product);

/** Returns a cursor of the baseline for the sort `createdAt:desc`. It is readable and unsigned. */
export const baselineCursor = ({ createdAt, id }) =>
  Buffer.from(`${new Date(createdAt).toISOString()},${id}`).toString('base64url');

/** @param {import('fastify').FastifyInstance} app */
export async function productRoutes(app, { query }) {
  app.get('/products/:id', { schema: { response: { 200: product } } }, async (request, reply) => {
    const [row] = await query('product-get', SQL.get, [Number(request.params.id)]);
    return row ?? reply.code(404).send({ error: STATUS_CODES[404] });
  });

  app.get('/products', { schema: { response: { 200: list } } }, async ({ query: parameters }) => {
    const range = rangeOf(parameters);
    return parameters.cursor ? cursorPage(parameters.cursor, range.limit) : offsetPage(parameters, range);
  });

  app.post('/products', { schema: { response: { 201: product } } }, async ({ body }, reply) => {
    const [row] = await query('product-create', SQL.create, [body.name, body.price, body.category]);
    reply.code(201).header('location', `/products/${row.id}`);
    return row;
  });

  async function offsetPage({ category, inStock }, range) {
    const values = [range.limit, range.offset];
    const data = category
      ? await query('product-filtered-page', SQL.filteredPage, [...values, category, inStock])
      : await query('product-page', SQL.page, values);
    return toPage(data, range);
  }

  async function cursorPage(cursor, limit) {
    const position = Buffer.from(cursor, 'base64url').toString().split(',');
    const data = await query('product-after', SQL.after, [limit + 1, ...position]);
    const hasMore = data.length > limit;
    if (hasMore) data.pop();
    return { data, pagination: { hasMore, nextCursor: hasMore ? baselineCursor(data.at(-1)) : null } };
  }
}
