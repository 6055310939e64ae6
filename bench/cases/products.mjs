/** Products: reading one, lists of all kinds, creating. */
import { baselineCursor } from '../baseline/products.mjs';
import { walkTo } from '../client.mjs';
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

/**
 * Page 4,000, or in a small table the page after four fifths of all, and pages before it: more than there are
 * connections, or a server that joins equal questions would have few to answer, but none of the first.
 */
const deepPages = ({ products }) => {
  const last = Math.max(1, Math.min(4000, Math.floor((products / PAGE_SIZE) * 0.8)));
  return times(Math.min(400, Math.ceil(last / 4)), (index) => last - index);
};

/** Where the baseline counts a million rows, it gives six answers a second, and 64 are waited for. */
const whereAllIsCounted = ({ products }) => Math.max(3, Math.ceil(products / 100_000));

/** Requests under way when the load ends have cost processor time and are not answered: they have to be few of all. */
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
    pairs: async ({ ids, ours }) => {
      const pairs = [];
      for (const id of ids.slice(0, 5000)) {
        const { headers } = await ours({ path: `/products/${id}` });
        const path = `/products/${id}`;
        pairs.push({ ours: { path, headers: { 'if-none-match': headers.get('etag') } }, baseline: { path } });
      }
      return pairs;
    },
    isSame: (ours) => ours.body === null && ours.headers.has('etag'),
  },
  {
    name: 'first-page',
    title: 'First page of 20, with total',
    status: OK,
    stretch: whereAllIsCounted,
    pairs: async () => [get('/products?limit=20')],
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
    title: 'The same place by cursor',
    status: OK,
    pairs: async (context) => {
      const pages = deepPages(context);
      const places = await walkTo(context.ours, '/products', {
        skip: (Math.min(...pages) - 1) * PAGE_SIZE,
        count: pages.length,
      });
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
