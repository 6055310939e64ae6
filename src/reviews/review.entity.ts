import { Id, Integer, Nested, PickOf, ResourceEntity, Text } from '@plinth/core';
import { Check, Entity, ForeignKey, Index, Unique } from 'typeorm';

import { Product } from '../products/product.entity.js';
import { User } from '../users/user.entity.js';

export class AuthorDto extends PickOf(User, ['id', 'name'], {
  id: { example: 43 },
  name: { example: 'Grace Hopper' },
}) {}

/** Returns SQL for the author of a review. If a user gets another name, a trigger gives their reviews new versions. */
const selectAuthor = ({ userId = '' }: Readonly<Record<string, string>>): string =>
  `select json_build_object('id', u.id, 'name', u.name) from users u where u.id = ${userId}`;

/** A user's opinion of a product. When a review changes, a trigger updates the average rating of its product. */
@Entity('reviews')
@Check('reviews_rating_range', 'rating between 1 and 5')
@Unique('reviews_product_user_key', ['productId', 'userId'])
@Index('reviews_product_created_at', ['productId', 'createdAt', 'id'])
@Index('reviews_user_created_at', ['userId', 'createdAt', 'id'])
@Index('reviews_product_rating', ['productId', 'rating', 'id'])
export class Review extends ResourceEntity {
  @Id({ readOnly: true })
  @ForeignKey(() => Product, { onDelete: 'CASCADE' })
  productId: number;

  @Id({ readOnly: true, description: 'The user who wrote the review.', example: 43 })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId: number;

  @Integer({ min: 1, max: 5, example: 4 })
  rating: number;

  @Text({ max: 5000, blank: true, nullable: true, example: 'Warm light, heavy foot.' })
  comment: string | null;

  @Nested(AuthorDto, { computed: selectAuthor })
  author: AuthorDto;
}
