/** What every server is asked, and whether two answers say the same. */
import { isDeepStrictEqual } from 'node:util';
import { categoryPages, newProducts, times } from '../cases/requests.mjs';
import { PAGE_SIZE, productOf } from './peer.mjs';

const PAGES = 50;

/**
 * @typedef {object} Question
 * @property {'get' | 'page' | 'filtered' | 'create'} name what a dialect calls it too
 * @property {string} title
 * @property {boolean} isRead
 * @property {(context: import('../cases.mjs').Context) => object[]} asked
 * @property {(body: any, dialect: import('./peer.mjs').Dialect) => object} read what answers are compared by
 */

const item = (body, dialect) => productOf(dialect.itemOf(body));
const list = (body, dialect) => {
  const { rows, total } = dialect.listOf(body);
  return { products: rows.map(productOf), total: Number(total) };
};

/** What was asked for: ids and times are each server's own. */
const created = (body, dialect) => {
  const { id, name, price, category, inStock, rating } = item(body, dialect);
  return { hasId: Number.isInteger(id), name, price, category, inStock, rating };
};

/** @type {Question[]} */
export const questions = [
  {
    name: 'get',
    title: 'Read by id',
    isRead: true,
    asked: ({ ids }) => ids.map((id) => ({ id })),
    read: item,
  },
  {
    name: 'page',
    title: 'Pages 1 to 50 of 20, with total',
    isRead: true,
    asked: ({ products }) =>
      times(Math.min(PAGES, Math.floor(products / PAGE_SIZE)), (index) => ({ page: index + 1 })),
    read: list,
  },
  {
    name: 'filtered',
    title: 'Category in stock, by price, with total',
    isRead: true,
    asked: categoryPages,
    read: list,
  },
  { name: 'create', title: 'Create', isRead: false, asked: newProducts, read: created },
];

/**
 * @param {Question} question
 * @param {{ name: string, dialect: import('./peer.mjs').Dialect, body: any }} ours
 * @param {{ name: string, dialect: import('./peer.mjs').Dialect, body: any }} peer
 * @throws {Error} that shows both, where they differ
 */
export function checkSame({ read }, ours, peer) {
  const [expected, said] = [ours, peer].map(({ body, dialect }) => read(body, dialect));
  if (isDeepStrictEqual(expected, said)) return;
  const show = (value) => JSON.stringify(value).slice(0, 400);
  throw new Error(`the answers differ\n    ours ${show(expected)}\n    ${peer.name} ${show(said)}`);
}
