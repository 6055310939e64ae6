import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import { FastifyRequest } from 'fastify';

import '../access/principal.js';
import { PathName } from './path-names.js';
import { NO_SUCH_ID, valueOf } from './path-id.decorator.js';

interface Belongings {
  readonly names: readonly PathName[];
  /** The property that holds the id of the user whose row it is. */
  readonly owner: string | undefined;
}

export const readBelongings = (data: unknown, context: ExecutionContext): object => {
  const { names, owner } = data as Belongings;
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const values: Record<string, unknown> = {};
  for (const name of names) values[name.property] = valueOf(name, request);
  // A caller who is nobody, or was deleted since, is none that the table could point at.
  if (owner !== undefined) values[owner] = request.principal?.userId ?? NO_SUCH_ID;
  return values;
};

/**
 * The owners of a new row: the parents that the path names, by the resource's `parent`, and the caller, in the property
 * that its `access.create.orOwner` names.
 *
 * @throws ApiError `INVALID_ID`
 * @example
 * create(
 *   @Body() body: ReviewBodyDto,
 *   @BelongsTo() belongsTo: BelongsTo<Review, 'productId' | 'userId'>,
 *   @Transaction() tx: Transaction,
 * ) {
 *   return this.reviews.create({ ...body, ...belongsTo }, tx); // productId, userId
 * }
 */
export const BelongsTo: () => ParameterDecorator = createParamDecorator(readBelongings);
export type BelongsTo<Row, Property extends keyof Row = never> = Pick<Row, Property>;
