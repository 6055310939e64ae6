/** Cases of products: reading one, listing them in several ways, creating them. */
import { baselineCursor } from '../baseline/products.mjs';
import { inParallel, walk } from '../client.mjs';
import { apiKeys, basic, sessions } from './credentials.mjs';
import {
  categoryPages,
  CREATED,
  get,
  isSameItem,
  isSameList,
  newProducts,
  OK,
  PAGE_SIZE,
  post,
  times,
} from './requests.mjs';

/** Returns pages up to page 4,000 or, in a small table, up to the page after four fifths of the rows. */
const deepPages = ({ products }) => {
  const last = Math.max(1, Math.min(4000, Math.floor((products / PAGE_SIZE) * 0.8)));
  return times(Math.ceil(last / 4), (index) => last - index);
};

/** Stretches cases in which the baseline counts all rows: with a million, it answers 6 of 64 pending requests a second. */
const whereAllIsCounted = ({ products }) => Math.max(3, Math.ceil(products / 100_000));

/** Stretches cases with slow requests. Requests that are pending at the end cost processor time but do not count, so they must be few. */
const whereMuchIsSkipped = ({ products }) => Math.max(3, Math.ceil(products / 50_000));

/** @type {(name: string, title: string, credentials: import('../cases.mjs').Case['credentials']) => import('../cases.mjs').Case} */
const readBy = (name, title, credentials) => ({
  name,
  title,
  status: OK,
  credentials,
  pairs: async ({ ids }) => ids.map((id) => get(`/products/${id}`)),
  isSame: isSameItem,
});

/** @type {import('../cases.mjs').Case[]} */
export const productCases = [
  {
    name: 'get',
    title: 'Read by id',
    status: OK,
    pairs: async ({ ids }) => ids.map((id) => get(`/products/${id}`)),
    isSame: isSameItem,
  },
  readBy('get-api-key', 'The same by API key', apiKeys),
  readBy('get-session', 'The same by session', sessions),
  readBy('get-basic', 'The same by Basic', basic),
  {
    name: 'not-modified',
    title: 'Revalidate: 304 (baseline: read by id)',
    status: { ours: 304, baseline: 200 },
    pairs: ({ ids, ours }) =>
      inParallel(ids, async (id) => {
        const path = `/products/${id}`;
        const { headers } = await ours({ path });
        return { ours: { path, headers: { 'if-none-match': headers.get('etag') } }, baseline: { path } };
      }),
    isSame: (ours) => ours.body === null && ours.headers.has('etag'),
  },
  {
    name: 'page',
    title: 'Pages 1 to 100 of 20, with total',
    status: OK,
    stretch: whereAllIsCounted,
    pairs: async ({ products }) =>
      times(Math.min(100, Math.floor(products / PAGE_SIZE)), (index) => get(`/products?page=${index + 1}`)),
    isSame: isSameList,
  },
  {
    name: 'filtered-page',
    title: 'Page of a category in stock, by price',
    status: OK,
    pairs: async (context) =>
      categoryPages(context).map(({ category, page }) =>
        get(`/products?category=${encodeURIComponent(category)}&inStock=true&sort=price:asc&page=${page}`),
      ),
    isSame: isSameList,
  },
  {
    name: 'deep-page',
    title: 'Far back (page 4,000 at most)',
    status: OK,
    stretch: whereMuchIsSkipped,
    pairs: async (context) => deepPages(context).map((page) => get(`/products?page=${page}`)),
    isSame: isSameList,
  },
  {
    name: 'cursor',
    title: 'By cursor, over the whole table',
    status: OK,
    pairs: async ({ ours }) => {
      const places = await walk(ours, '/products');
      return places.map(({ cursor, item }) => ({
        ours: { path: `/products?cursor=${encodeURIComponent(cursor)}` },
        baseline: { path: `/products?cursor=${baselineCursor(item)}` },
      }));
    },
    isSame: isSameList,
  },
  {
    name: 'create',
    title: 'Create',
    status: CREATED,
    pairs: async (context) => newProducts(context).map((product) => post('/products', product)),
    isSame: ({ body: ours, headers }, { body: baseline }) =>
      headers.has('location') &&
      Number.isInteger(ours.id) &&
      ['name', 'price', 'category', 'inStock', 'rating'].every((field) => ours[field] === baseline[field]),
  },
];
