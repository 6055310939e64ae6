import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';

import { Product } from '../products/product.entity.js';
import { ResourceEntity } from '../resources/resource.entity.js';
import { UserEntity } from '../users/user.entity.js';

/** A review as the table has it. Whatever changes the table, a trigger makes the products' averages follow. */
@Entity('reviews')
@Check('reviews_rating_range', 'rating between 1 and 5')
@Unique('reviews_product_user_key', ['productId', 'userId'])
@Index('reviews_created_at', ['createdAt', 'id'])
@Index('reviews_product_created_at', ['productId', 'createdAt', 'id'])
@Index('reviews_user_created_at', ['userId', 'createdAt', 'id'])
@Index('reviews_rating', ['rating', 'id'])
@Index('reviews_product_rating', ['productId', 'rating', 'id'])
export class ReviewEntity extends ResourceEntity {
  @Column({ name: 'product_id', type: 'int' })
  @ForeignKey(() => Product, { name: 'reviews_product_id_fkey', onDelete: 'CASCADE' })
  productId: number;

  @Column({ name: 'user_id', type: 'int' })
  @ForeignKey(() => UserEntity, { name: 'reviews_user_id_fkey', onDelete: 'CASCADE' })
  userId: number;

  @Column({ type: 'int' })
  rating: number;

  @Column({ type: 'varchar', length: 5000, nullable: true })
  comment: string | null;
}
