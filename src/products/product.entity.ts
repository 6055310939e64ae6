import { Decimal, Flag, Integer, Money, ResourceEntity, Text } from '@plinth/core';
import { Check, Entity } from 'typeorm';

@Entity('products')
@Check('products_price_range', `price >= 0 and price < 'Infinity'`)
@Check('products_rating_range', 'rating between 1 and 5')
export class Product extends ResourceEntity {
  // This collation sorts names as people expect, whatever the locale of the database is.
  @Text({ max: 200, example: 'Walnut desk lamp', column: { collation: 'und-x-icu' } })
  name: string;

  @Money({ example: 49.9 })
  price: number;

  @Text({ max: 100, nullable: true, example: 'lighting' })
  category: string | null;

  @Flag({ default: true, example: true })
  inStock: boolean;

  @Text({ max: 5000, blank: true, nullable: true, example: 'Turned from one block, with a linen shade.' })
  description: string | null;

  @Decimal({
    precision: 3,
    scale: 2,
    nullable: true,
    readOnly: true,
    example: 4.25,
    description:
      'The average rating in reviews, to two decimal places. `null` if the product has no reviews.',
  })
  rating: number | null;

  // Only the trigger that computes `rating` uses it. No response shows it.
  @Integer({ default: 0, readOnly: true })
  ratingSum: number;

  @Integer({ default: 0, readOnly: true, example: 4 })
  reviewCount: number;
}
