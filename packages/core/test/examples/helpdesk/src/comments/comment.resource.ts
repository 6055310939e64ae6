import { defineList, equals, ResourceDefinition, rowsOf } from '@plinth/core';

import { TICKETS } from '../tickets/ticket.resource.js';
import { Comment } from './comment.entity.js';
import { COMMENT_NOT_FOUND } from './comment.errors.js';

export const commentList = defineList(Comment, {
  name: 'comments',
  filters: { ticketId: equals('ticketId') },
});

export const COMMENTS: ResourceDefinition<Comment> = {
  path: 'comments',
  entity: Comment,
  notFound: COMMENT_NOT_FOUND,
  description: 'Comments on tickets.',
  rows: rowsOf(TICKETS, 'ticketId'),
};
