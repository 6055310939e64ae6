/** The queries of the list of products that are measured: filters, sorts, paging styles and positions. */

const RANGES = {
  common: { minPrice: '5' },
  'one price': { minPrice: '9.99', maxPrice: '9.99' },
  rare: { minPrice: '499.5' },
  'of one category': { minPrice: '480' },
  'in the middle': { minPrice: '100', maxPrice: '120' },
  absent: { minPrice: '499.991', maxPrice: '499.992' },
};

/** The values of each filter. The first is common, and each connection sees it many times before the others. */
const VALUES = {
  category: {
    common: { category: 'everything' },
    usual: { category: 'cat-7' },
    rare: { category: 'trio' },
    absent: { category: 'typo' },
    dearest: { category: 'cat-21' },
    'rated worst': { category: 'cat-22' },
    oldest: { category: 'cat-20' },
  },
  categories: {
    common: { category: ['everything', 'cat-7'] },
    rare: { category: ['trio', 'cat-21'] },
    absent: { category: ['typo', 'tpyo'] },
  },
  inStock: { common: { inStock: 'true' }, rare: { inStock: 'false' } },
  price: RANGES,
  maxPrice: { common: { maxPrice: '400' }, rare: { maxPrice: '0.51' } },
  minRating: { common: { minRating: '2' }, rare: { minRating: '4.99' }, absent: { minRating: '5.01' } },
  created: {
    common: { createdFrom: '2025-02-01T00:00:00Z' },
    rare: { createdFrom: '2026-08-23T23:00:00Z' },
    oldest: { createdBefore: '2025-01-20T00:00:00Z' },
    absent: { createdFrom: '2030-01-01T00:00:00Z' },
  },
  id: { common: { id: ['4711'] }, several: { id: ['7', '77', '777', '7777'] }, absent: { id: ['0'] } },
  q: {
    common: { q: 'lamp' },
    usual: { q: 'brass' },
    rare: { q: 'zyzzyva' },
    absent: { q: 'xylophone' },
    dearest: { q: 'relic' },
    words: { q: 'walnut desk la' },
  },
};

/** The filters that are combined, with the values of each that matter: by name. */
const PAIRS = [
  ['category', 'inStock'],
  ['category', 'price'],
  ['category', 'minRating'],
  ['category', 'created'],
  ['category', 'q'],
  ['categories', 'inStock'],
  ['inStock', 'price'],
  ['inStock', 'minRating'],
  ['inStock', 'created'],
  ['inStock', 'q'],
  ['price', 'minRating'],
  ['price', 'q'],
  ['minRating', 'q'],
  ['created', 'q'],
];
const IN_PAIRS = ['common', 'usual', 'rare', 'absent', 'dearest', 'one price'];

/** The requests of issue reports, which come first in the output. */
export const REPORTED = [
  [{ category: 'typo' }, 'createdAt:desc'],
  [{ category: 'trio' }, 'createdAt:desc'],
  [{ q: 'zyzzyva' }, 'price:asc'],
  [{ category: 'everything', inStock: 'false' }, 'rating:desc'],
  [{ category: 'cat-7', inStock: 'false' }, 'price:asc'],
  [{ inStock: 'false' }, 'name:desc'],
  [{ minPrice: '9.99', maxPrice: '9.99' }, 'name:asc'],
  [{ q: 'lamp' }, 'relevance:desc'],
];

const merge = (left, right) =>
  Object.fromEntries(
    Object.entries(left).flatMap(([first, one]) =>
      Object.entries(right)
        .filter(([second]) => IN_PAIRS.includes(first) && IN_PAIRS.includes(second))
        .map(([second, other]) => [`${first}, ${second}`, { ...one, ...other }]),
    ),
  );

/**
 * @typedef {object} Shape
 * @property {string} filters
 * @property {string} sort
 * @property {Record<string, string | string[]>[]} values the common one first
 * @property {boolean} isPair
 */

/**
 * @param {{ filters: ReadonlyMap<string, unknown>, sorts: readonly string[] }} list
 * @returns {Shape[]}
 * @throws Error for a filter of the list without values
 */
export function shapesOf({ filters, sorts }) {
  const used = new Set(Object.values(VALUES).flatMap((values) => Object.values(values).flatMap(Object.keys)));
  const missing = [...filters.keys()].filter((name) => !used.has(name));
  if (missing.length > 0) throw new Error(`bench/lists/combinations.mjs has no values of ${missing}`);
  const sets = [
    ['none', { any: {} }, false],
    ...Object.entries(VALUES).map(([name, values]) => [name, values, false]),
    ...PAIRS.map(([one, other]) => [`${one} ${other}`, merge(VALUES[one], VALUES[other]), true]),
  ];
  const directions = (fields) => fields.flatMap((field) => [`${field}:asc`, `${field}:desc`]);
  return sets.flatMap(([name, values, isPair]) =>
    [...directions(sorts), ...(name.split(' ').includes('q') ? directions(['relevance']) : [])].map(
      (sort) => ({
        filters: name,
        sort,
        values: Object.values(values),
        isPair,
      }),
    ),
  );
}

/** The query string of a combination. */
export const textOf = (parameters) =>
  String(
    new URLSearchParams(
      Object.entries(parameters).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
    ),
  );
