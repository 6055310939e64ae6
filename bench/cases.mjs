/**
 * What is measured. A case makes its requests as pairs, one for each server, that ask for the same thing; before the
 * load some pairs are sent and `isSame` compares the answers, so that only servers doing the same work are compared.
 * README.md says how to add one.
 */
import { isDeepStrictEqual } from 'node:util';
import { baselineCursor } from './baseline/products.mjs';
import { walkTo } from './client.mjs';

/** @typedef {import('./load.mjs').Request} Request */
/** @typedef {{ status: number, headers: Headers, body: any }} Answer */
/** @typedef {(request: Request) => Promise<Answer>} Ask */
/**
 * @typedef {object} Context
 * @property {number} products rows in the table
 * @property {number[]} ids of up to 20,000 products, in random order
 * @property {{ name: string, products: number }[]} categories that have at least a page of products
 * @property {() => number} random repeatable, from 0 to below 1
 * @property {Ask} ours
 * @property {Ask} baseline
 */
/**
 * @typedef {object} Case
 * @property {string} name for `--only` and the results' keys
 * @property {string} title
 * @property {{ ours: number, baseline: number }} status the only one that counts as success
 * @property {number} [stretch] how many times longer than others it is loaded, where answers are few
 * @property {(context: Context) => Promise<{ ours: Request, baseline: Request }[]>} pairs
 * @property {(ours: Answer, baseline: Answer) => boolean} isSame
 */

const PAGE_SIZE = 20;
const OK = { ours: 200, baseline: 200 };

const both = (request) => ({ ours: request, baseline: request });
const get = (path) => both({ path });
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const pick = (random, list) => list[Math.floor(random() * list.length)];

const isSameItem = (ours, baseline) => isDeepStrictEqual(ours.body, baseline.body);
const isSameList = ({ body: ours }, { body: baseline }) =>
  baseline.data.length === PAGE_SIZE &&
  isDeepStrictEqual(ours.data, baseline.data) &&
  ours.pagination.total === baseline.pagination.total &&
  ours.pagination.hasMore === baseline.pagination.hasMore;

/**
 * Page 4,000, or in a small table one as far back in proportion, and pages before it: more than there are connections,
 * or a server that joins equal questions would have few to answer.
 */
const deepPages = ({ products }) => {
  const last = Math.max(1, Math.min(4000, Math.floor((products / PAGE_SIZE) * 0.8)));
  return times(Math.min(400, last), (index) => last - index);
};

/** @type {Case[]} */
export const cases = [
  {
    name: 'get',
    title: 'Read by id',
    status: OK,
    pairs: async ({ ids }) => ids.map((id) => get(`/products/${id}`)),
    isSame: isSameItem,
  },
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
    pairs: async () => [get('/products?limit=20')],
    isSame: isSameList,
  },
  {
    name: 'filtered-page',
    title: 'Page of a category by price',
    status: OK,
    pairs: async ({ categories, random }) =>
      times(500, () => {
        const { name, products } = pick(random, categories);
        const page = 1 + Math.floor(random() * Math.min(20, Math.floor(products / PAGE_SIZE)));
        return get(`/products?category=${encodeURIComponent(name)}&sort=price:asc&page=${page}`);
      }),
    isSame: isSameList,
  },
  {
    name: 'deep-page',
    title: 'Page 4,000',
    status: OK,
    stretch: 3,
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
    status: { ours: 201, baseline: 201 },
    pairs: async ({ categories, random }) =>
      times(5000, (index) => {
        const price = Math.floor(random() * 100_000) / 100;
        const body = JSON.stringify({
          name: `Created ${index}`,
          price,
          category: pick(random, categories).name,
        });
        return both({
          method: 'POST',
          path: '/products',
          headers: { 'content-type': 'application/json' },
          body,
        });
      }),
    isSame: ({ body: ours, headers }, { body: baseline }) =>
      headers.has('location') &&
      Number.isInteger(ours.id) &&
      ['name', 'price', 'category', 'inStock', 'rating'].every((field) => ours[field] === baseline[field]),
  },
];
