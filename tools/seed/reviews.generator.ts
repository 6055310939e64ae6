import { Product } from '../../src/products/product.entity.js';
import { Review } from '../../src/reviews/review.entity.js';
import { ExistingRow } from './existing.js';
import { Generator, Seeded } from './generator.js';
import { Random } from './random.js';
import { COMMENTS } from './reviews.comments.js';
import { between } from './times.js';

export type SeededReview = Seeded<
  Review,
  'productId' | 'userId' | 'rating' | 'comment' | 'version' | 'createdAt' | 'updatedAt'
>;

/** Ratings as they are given, most of them high; a few products disappoint. */
const RATINGS = [5, 5, 5, 5, 5, 5, 4, 4, 4, 4, 4, 3, 3, 2, 1];
const POOR_RATINGS = [5, 4, 4, 3, 3, 3, 2, 2, 1];
const POOR = 0.1;
const COMMENTED = 0.7;
const EDITED = 0.05;

/** A product, and its way through all users: each once, in an order of its own. */
interface Reviewed {
  readonly product: ExistingRow;
  /** How many reviews it gets at the first go; a few products get most. */
  readonly popularity: number;
  readonly ratings: readonly number[];
  readonly step: number;
  place: number;
  left: number;
}

/**
 * Reviews of products, at most one for each user and product. One product after the other: its average then follows
 * once or twice, not with every review.
 */
export const REVIEWS: Generator<SeededReview> = {
  name: 'reviews',
  entity: Review,
  needs: ['products', 'users'],
  changes: [Product],
  *rows({ count, random, now, existing: { products, users } }) {
    let reviewed = products.map((product) => reviewedBy(users.length, product, random));
    const all = reviewed.reduce((sum, { popularity }) => sum + popularity, 0);
    // The first round makes about as many as asked for, the next ones what is then missing: every pair comes in the
    // end.
    for (let least = 0; reviewed.length > 0; least = 1) {
      for (const one of reviewed) {
        const share = Math.floor((count * one.popularity) / all + random.next());
        for (let more = Math.min(one.left, Math.max(share, least)); more > 0; more--) {
          yield review(one, users[next(one, users.length)] as ExistingRow, now, random);
        }
      }
      reviewed = reviewed.filter(({ left }) => left > 0);
    }
  },
};

function reviewedBy(users: number, product: ExistingRow, random: Random): Reviewed {
  return {
    product,
    popularity: 0.02 + random.next() ** 3,
    ratings: random.chance(POOR) ? POOR_RATINGS : RATINGS,
    step: coprime(users, random),
    place: random.integer(0, users - 1),
    left: users,
  };
}

/** The place of the next user. Steps that have no divisor in common with the number of places reach all of them. */
function next(one: Reviewed, users: number): number {
  one.left--;
  one.place = (one.place + one.step) % users;
  return one.place;
}

function coprime(number: number, random: Random): number {
  for (;;) {
    const candidate = random.integer(1, number);
    if (divisor(candidate, number) === 1) return candidate;
  }
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

function review({ product, ratings }: Reviewed, user: ExistingRow, now: Date, random: Random): SeededReview {
  const rating = random.pick(ratings);
  const earliest = Math.min(Math.max(product.createdMs, user.createdMs), now.getTime());
  const createdAt = between(new Date(earliest), now, random);
  const isEdited = random.chance(EDITED);
  return {
    productId: product.id,
    userId: user.id,
    rating,
    comment: random.chance(COMMENTED) ? random.pick(COMMENTS[rating] ?? []) : null,
    version: isEdited ? 2 : 1,
    createdAt,
    updatedAt: isEdited ? between(createdAt, now, random) : createdAt,
  };
}
