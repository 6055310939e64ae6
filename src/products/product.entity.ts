import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import { ResourceEntity } from '../resources/resource.entity.js';

/** A product as the table has it. It is read as a `ProductRow`; see `products.repository.ts`. */
@Entity('products')
@Check('products_price_range', `price >= 0 and price < 'Infinity'`)
@Check('products_rating_range', 'rating between 1 and 5')
// Indexes on expressions are the migrations' own: TypeORM knows their names only. `product.lists.ts` has the sorts.
@Index('products_created_at', { synchronize: false })
@Index('products_category_created_at', { synchronize: false })
@Index('products_price', { synchronize: false })
@Index('products_category_price', { synchronize: false })
@Index('products_name', { synchronize: false })
@Index('products_category_name', { synchronize: false })
@Index('products_rating_asc', { synchronize: false })
@Index('products_category_rating_asc', { synchronize: false })
@Index('products_rating_desc', { synchronize: false })
@Index('products_category_rating_desc', { synchronize: false })
export class ProductEntity extends ResourceEntity {
  @PrimaryGeneratedColumn('identity', {
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'products_pkey',
  })
  id: number;

  // Sorted as people sort, whatever the locale of the database.
  @Column({ type: 'varchar', length: 200, collation: 'und-x-icu' })
  name: string;

  @Column({ type: 'numeric', precision: 12, scale: 2 })
  price: string;

  @Column({ type: 'varchar', length: 100, nullable: true })
  category: string | null;

  @Column({ name: 'in_stock', type: 'boolean', default: true })
  inStock: boolean;

  @Column({ type: 'varchar', length: 5000, nullable: true })
  description: string | null;

  /** `ratingSum / reviewCount` to two decimals; null without reviews. */
  @Column({ type: 'numeric', precision: 3, scale: 2, nullable: true })
  rating: string | null;

  @Column({ name: 'rating_sum', type: 'int', default: 0 })
  ratingSum: number;

  @Column({ name: 'review_count', type: 'int', default: 0 })
  reviewCount: number;
}
