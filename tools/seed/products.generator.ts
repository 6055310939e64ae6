import { Product } from '../../src/products/product.entity.js';
import { Generator, Seeded } from './generator.js';
import { CATALOGUE, Category, ORIGINS, PROMISES, PURPOSES, SERIES } from './products.catalogue.js';
import { Random } from './random.js';
import { between, spread, YEAR_MS } from './times.js';

export type SeededProduct = Seeded<
  Product,
  'name' | 'price' | 'category' | 'inStock' | 'description' | 'version' | 'createdAt' | 'updatedAt'
>;

/** How the shops of this world end a price, the usual endings more often. */
const CENTS = ['00', '00', '50', '90', '90', '95', '95', '99', '99', '99'];
const OUT_OF_STOCK = 0.08;

/** Goods of a department store, the older ones first, without reviews. */
export const PRODUCTS: Generator<SeededProduct> = {
  name: 'products',
  entity: Product,
  *rows({ count, random, now }) {
    for (let index = 0; index < count; index++) {
      yield product(random, spread(index, count, 2 * YEAR_MS, now, random), now);
    }
  },
};

function product(random: Random, createdAt: Date, now: Date): SeededProduct {
  const category = random.pick(CATALOGUE);
  const name = nameIn(category, random);
  const changes = random.chance(0.4) ? random.integer(1, 5) : 0;
  return {
    name,
    price: priceIn(category, random),
    category: category.name,
    inStock: !random.chance(OUT_OF_STOCK),
    description: random.chance(0.9) ? description(name, random) : null,
    version: 1 + changes,
    createdAt,
    updatedAt: changes > 0 ? between(createdAt, now, random) : createdAt,
  };
}

/** Such as "Walnut desk lamp" or "Norra walnut desk lamp, dimmable". */
function nameIn({ kinds, things, variants }: Category, random: Random): string {
  const thing = `${random.pick(kinds)} ${random.pick(things)}`;
  const series = random.chance(0.5) ? `${random.pick(SERIES)} ` : '';
  const variant = random.chance(0.4) ? `, ${random.pick(variants)}` : '';
  return capitalized(`${series}${thing}${variant}`);
}

/** Cheap things are more common than dear ones: even on a logarithmic scale. */
function priceIn({ from, to }: Category, random: Random): number {
  const units = Math.floor(from * (to / from) ** random.next());
  return Number(`${units}.${random.pick(CENTS)}`);
}

function description(name: string, random: Random): string {
  return `${name}, for ${random.pick(PURPOSES)}. ${random.pick(PROMISES)}. Made in ${random.pick(ORIGINS)}.`;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
