/** Helpers with which cases create requests and compare responses. */
import { isDeepStrictEqual } from 'node:util';

/** @typedef {import('../load.mjs').Request} Request */
/** @typedef {import('../cases.mjs').Answer} Answer */

export const PAGE_SIZE = 20;
export const OK = { ours: 200, baseline: 200 };
export const CREATED = { ours: 201, baseline: 201 };

/** Returns a pair with the same request for both servers. */
export const both = (request) => ({ ours: request, baseline: request });

/** @param {string} path */
export const get = (path) => both({ path });

/**
 * @param {string} path
 * @param {object} body
 * @param {Record<string, string>} [headers]
 */
export const post = (path, body, headers = {}) =>
  both({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** @template T @param {number} count @param {(index: number) => T} make @returns {T[]} */
export const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** @template T @param {() => number} random @param {T[]} list @returns {T} */
export const pick = (random, list) => list[Math.floor(random() * list.length)];

/** Whether two responses have the same resource, with all fields equal. */
export const isSameItem = (ours, baseline) => isDeepStrictEqual(ours.body, baseline.body);

/** Whether two responses have the same full page: all fields of all rows, and the pagination. */
export const isSameList = ({ body: ours }, { body: baseline }) =>
  baseline.data.length === PAGE_SIZE &&
  isDeepStrictEqual(ours.data, baseline.data) &&
  ours.pagination.total === baseline.pagination.total &&
  ours.pagination.hasMore === baseline.pagination.hasMore;

/**
 * Returns pages of the products of a category that are in stock. All of them are full pages.
 * @param {Pick<import('../cases.mjs').Context, 'categories' | 'random'>} context
 */
export const categoryPages = ({ categories, random }) =>
  times(5000, () => {
    const { name, products } = pick(random, categories);
    const page = 1 + Math.floor(random() * Math.min(20, Math.floor(products / PAGE_SIZE)));
    return { category: name, page };
  });

/**
 * Returns bodies that create products.
 * @param {Pick<import('../cases.mjs').Context, 'categories' | 'random'>} context
 */
export const newProducts = ({ categories, random }) =>
  times(5000, (index) => {
    const price = Math.floor(random() * 100_000) / 100;
    return { name: `Created ${index}`, price, category: pick(random, categories).name };
  });
