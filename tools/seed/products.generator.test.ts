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
    for (const { price } of products) {
      expect(price.toFixed(2)).toMatch(/^\d+\.(00|50|90|95|99)$/);
      expect(hasDecimals(price, 2)).toBe(true);
      expect(price).toBeGreaterThanOrEqual(0);
      expect(price).toBeLessThanOrEqual(MAX_MONEY);
    }
  });

  it('keeps to the price range of the category', () => {
    const ranges = new Map(CATALOGUE.map(({ name, from, to }) => [name, { from, to }]));
    for (const { price, category } of products) {
      const { from, to } = ranges.get(category as string)!;
      expect(price).toBeGreaterThanOrEqual(from);
      expect(price).toBeLessThanOrEqual(to);
    }
  });

  it('writes texts that the contract takes', () => {
    for (const { name, category, description } of products) {
      expect(name).toMatch(/^[A-Z][^,]*(, .+)?$/);
      for (const [text, max] of [
        [name, 200],
        [category, 100],
        [description ?? '-', 5000],
      ] as const) {
        expect(text?.trim()).toBe(text);
        expect(isWellFormedText(text!)).toBe(true);
        expect(text!.length).toBeLessThanOrEqual(max);
      }
    }
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
    for (const { createdAt, updatedAt, version } of products) {
      expect(updatedAt.getTime()).toBeGreaterThanOrEqual(createdAt.getTime());
      expect(updatedAt.getTime()).toBeLessThanOrEqual(NOW.getTime());
      if (version === 1) expect(updatedAt).toEqual(createdAt);
    }
    expect(products.some(({ version }) => version > 1)).toBe(true);
  });
});
