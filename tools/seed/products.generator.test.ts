import { MAX_MONEY } from '../../src/fields/kinds.js';
import { hasDecimals, isWellFormedText } from '../../src/fields/rules.js';
import { NOTHING } from './existing.js';
import { CATALOGUE } from './products.catalogue.js';
import { PRODUCTS, SeededProduct } from './products.generator.js';
import { Random } from './random.js';

const NOW = new Date('2026-11-20T09:30:00.000Z');
const TWO_YEARS_AGO = new Date('2024-11-20T09:30:00.000Z');
const COUNT = 5000;

const make = (seed: number): SeededProduct[] => [
  ...PRODUCTS.rows({
    count: COUNT,
    random: new Random(seed, 'products'),
    now: NOW,
    lastId: 0,
    existing: NOTHING,
  }),
];

describe('the products generator', () => {
  const products = make(1);

  it('makes as many as asked for', () => {
    expect(products).toHaveLength(COUNT);
  });

  it('makes the same from the same seed, and others from another', () => {
    expect(make(1)).toEqual(products);
    expect(make(2)).not.toEqual(products);
  });

  it('prices within the contract, with the endings of a shop', () => {
    const isPrice = (price: number): boolean =>
      /^\d+\.(00|50|90|95|99)$/.test(price.toFixed(2)) && hasDecimals(price, 2) && price <= MAX_MONEY;
    expect(products.filter(({ price }) => !isPrice(price))).toEqual([]);
  });

  it('keeps to the price range of the category', () => {
    const ranges = new Map(CATALOGUE.map(({ name, from, to }) => [name, { from, to }]));
    const isInRange = ({ price, category }: SeededProduct): boolean => {
      const { from, to } = ranges.get(category as string)!;
      return price >= from && price <= to;
    };
    expect(products.filter((product) => !isInRange(product))).toEqual([]);
  });

  it('writes texts that the contract takes', () => {
    const isTaken = (text: string, max: number): boolean =>
      text.trim() === text && isWellFormedText(text) && text.length <= max;
    const areTaken = ({ name, category, description }: SeededProduct): boolean =>
      /^[A-Z][^,]*(, .+)?$/.test(name) &&
      isTaken(name, 200) &&
      isTaken(category!, 100) &&
      isTaken(description ?? '-', 5000);
    expect(products.filter((product) => !areTaken(product))).toEqual([]);
  });

  it('fills every category, and makes names that rarely repeat', () => {
    expect(new Set(products.map(({ category }) => category)).size).toBe(CATALOGUE.length);
    expect(new Set(products.map(({ name }) => name)).size).toBeGreaterThan(COUNT * 0.8);
  });

  it('leaves about 8 % out of stock', () => {
    const share = products.filter(({ inStock }) => !inStock).length / COUNT;
    expect(share).toBeGreaterThan(0.06);
    expect(share).toBeLessThan(0.1);
  });

  it('spreads creation over the past two years, older ones first', () => {
    const times = products.map(({ createdAt }) => createdAt.getTime());
    expect([...times].sort((a, b) => a - b)).toEqual(times);
    expect(times[0]).toBeGreaterThanOrEqual(TWO_YEARS_AGO.getTime());
    expect(times.at(-1)).toBeLessThanOrEqual(NOW.getTime());
    const inFirstYear = times.filter((time) => time < Date.parse('2025-11-20T09:30:00.000Z')).length;
    expect(inFirstYear).toBe(COUNT / 2);
  });

  it('dates a change after the creation, and counts it in the version', () => {
    const isDated = ({ createdAt, updatedAt, version }: SeededProduct): boolean =>
      updatedAt >= createdAt && updatedAt <= NOW && (version !== 1 || +updatedAt === +createdAt);
    expect(products.filter((product) => !isDated(product))).toEqual([]);
    expect(products.some(({ version }) => version > 1)).toBe(true);
  });
});
