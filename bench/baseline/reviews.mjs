import { pageOf, rangeOf, toPage } from './pages.mjs';

const PAGE = `select id, product_id as "productId", user_id as "userId", rating, comment,
    created_at as "createdAt", updated_at as "updatedAt",
    (select count(*)::int from reviews where product_id = $3) as "listTotal"
  from reviews where product_id = $3 order by created_at desc, id desc limit $1 offset $2`;

const review = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    productId: { type: 'integer' },
    userId: { type: 'integer' },
    rating: { type: 'integer' },
    comment: { type: 'string', nullable: true },
    createdAt: { type: 'string', format: 'date-time' },
    updatedAt: { type: 'string', format: 'date-time' },
  },
};

/** @param {import('fastify').FastifyInstance} app */
export async function reviewRoutes(app, { query }) {
  app.get('/products/:id/reviews', { schema: { response: { 200: pageOf(review) } } }, async (request) => {
    const range = rangeOf(request.query);
    const values = [range.limit, range.offset, Number(request.params.id)];
    return toPage(await query('review-page', PAGE, values), range);
  });
}
