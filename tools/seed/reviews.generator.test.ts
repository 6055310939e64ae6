import { isWellFormedText } from '../../src/fields/rules.js';
import { ExistingProduct, ExistingRow } from './existing.js';
import { Random } from './random.js';
import { COMMENTS } from './reviews.comments.js';
import { REVIEWS, SeededReview } from './reviews.generator.js';

const NOW = new Date('2026-11-20T09:30:00.000Z');
const COUNT = 5000;

const row = (id: number): ExistingRow => ({ id, createdMs: NOW.getTime() - id * 3_600_000 });
const rows = (count: number): ExistingRow[] =>
  Array.from({ length: count }, (_, index) => row(count - index));
const products = (count: number): ExistingProduct[] =>
  rows(count).map((one) => ({ ...one, name: `Product ${one.id}`, price: '1.00' }));

function make(seed: number, size: { products: number; users: number }, take = COUNT): SeededReview[] {
  const random = new Random(seed, 'reviews');
  const existing = { products: products(size.products), users: rows(size.users) };
  const reviews: SeededReview[] = [];
  for (const review of REVIEWS.rows({ count: COUNT, random, now: NOW, lastId: 0, existing })) {
    if (reviews.push(review) === take) break;
  }
  return reviews;
}

const pairs = (reviews: SeededReview[]): Set<string> =>
  new Set(reviews.map(({ productId, userId }) => `${productId}/${userId}`));

describe('the reviews generator', () => {
  const size = { products: 1000, users: 200 };
  const reviews = make(1, size);

  it('makes the same from the same seed, and others from another', () => {
    expect(make(1, size)).toEqual(reviews);
    expect(make(2, size)).not.toEqual(reviews);
  });

  it('lets a user review a product once', () => {
    expect(pairs(reviews).size).toBe(COUNT);
  });

  it.each([
    { products: 7, users: 12 },
    { products: 12, users: 1 },
    { products: 1, users: 30 },
  ])('comes to every pair of $products products and $users users, then ends', (few) => {
    const all = make(1, few, Infinity);
    expect(all).toHaveLength(few.products * few.users);
    expect(pairs(all).size).toBe(all.length);
  });

  it.each([
    { products: 0, users: 5 },
    { products: 5, users: 0 },
  ])('makes none of $products products and $users users', (none) => {
    expect(make(1, none)).toEqual([]);
  });

  it('spreads over most products and all users, more for some', () => {
    const counts = new Map<number, number>();
    for (const { productId } of reviews) counts.set(productId, (counts.get(productId) ?? 0) + 1);
    expect(counts.size).toBeGreaterThan(500);
    expect(Math.max(...counts.values())).toBeGreaterThan(10);
    expect(new Set(reviews.map(({ userId }) => userId)).size).toBe(200);
  });

  it('rates 4 or 5 mostly, and everything at times', () => {
    expect([...new Set(reviews.map(({ rating }) => rating))].sort()).toEqual([1, 2, 3, 4, 5]);
    const high = reviews.filter(({ rating }) => rating >= 4).length / COUNT;
    expect(high).toBeGreaterThan(0.6);
    expect(high).toBeLessThan(0.85);
  });

  it('comments as it rates, or not at all', () => {
    const isComment = ({ rating, comment }: SeededReview): boolean =>
      comment === null || (COMMENTS[rating]!.includes(comment) && isWellFormedText(comment));
    expect(reviews.filter((review) => !isComment(review))).toEqual([]);
    expect(reviews.some(({ comment }) => comment === null)).toBe(true);
  });

  it('dates a review after its product and user, and a change after the review', () => {
    const isDated = ({ productId, userId, createdAt, updatedAt, version }: SeededReview): boolean =>
      createdAt.getTime() >= Math.max(row(productId).createdMs, row(userId).createdMs) &&
      updatedAt >= createdAt &&
      updatedAt <= NOW &&
      (version !== 1 || +updatedAt === +createdAt);
    expect(reviews.filter((review) => !isDated(review))).toEqual([]);
  });
});
