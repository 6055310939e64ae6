import { BodyOf, PickOf } from '@plinth/core';

import { Comment } from './comment.entity.js';

export class CommentDto extends PickOf(Comment, [
  'id',
  'ticketId',
  'authorId',
  'fromDesk',
  'text',
  'createdAt',
  'updatedAt',
]) {}

/** The path parameters of a row. */
export class CommentKey extends PickOf(Comment, ['ticketId', 'id']) {}

export class CommentBodyDto extends BodyOf(CommentDto, ['text']) {}
