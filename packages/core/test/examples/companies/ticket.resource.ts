import {
  ALL_ROWS,
  anyOf,
  defineErrors,
  defineList,
  equals,
  grantsOn,
  grantsOnParent,
  ResourceDefinition,
  type ResourceType,
  rowsOf,
} from '@plinth/core';

import { companyOf } from './companies.js';
import { Comment, Reaction, Ticket } from './ticket.entity.js';

/** The types of this example's `ACCESS`. An application declares them, and writes `'ticket'`. */
const TICKET = 'ticket' as ResourceType;

export const { TICKET_NOT_FOUND, COMMENT_NOT_FOUND, REACTION_NOT_FOUND } = defineErrors({
  TICKET_NOT_FOUND: [404, 'There is no such ticket.'],
  COMMENT_NOT_FOUND: [404, 'There is no such comment.'],
  REACTION_NOT_FOUND: [404, 'There is no such reaction.'],
});

export const ticketList = defineList(Ticket, {
  name: 'tickets',
  filters: { companyId: equals('companyId'), status: anyOf('status'), assigneeId: equals('assigneeId') },
  unindexed: ['assigneeId'],
  sorts: ['subject'],
  totals: ['status'],
  search: { subject: 'A' },
  facets: { status: 'count', createdAt: 'range' },
});

export const TICKETS: ResourceDefinition<Ticket> = {
  path: 'tickets',
  entity: Ticket,
  notFound: TICKET_NOT_FOUND,
  grants: [grantsOn(TICKET)],
  rows: ({ caller }) => (caller.isStaff ? ALL_ROWS : { companyId: companyOf(caller) }),
};

export const commentList = defineList(Comment, {
  name: 'comments',
  filters: { ticketId: equals('ticketId') },
  totals: ['ticketId'],
});

export const COMMENTS: ResourceDefinition<Comment> = {
  path: 'comments',
  entity: Comment,
  notFound: COMMENT_NOT_FOUND,
  grants: [grantsOnParent(TICKET, 'ticketId')],
  rows: rowsOf(TICKETS, 'ticketId'),
};

export const reactionList = defineList(Reaction, {
  name: 'reactions',
  filters: { commentId: equals('commentId') },
  unindexed: ['commentId'],
});

export const REACTIONS: ResourceDefinition<Reaction> = {
  path: 'reactions',
  entity: Reaction,
  notFound: REACTION_NOT_FOUND,
  rows: rowsOf(COMMENTS, 'commentId'),
};
