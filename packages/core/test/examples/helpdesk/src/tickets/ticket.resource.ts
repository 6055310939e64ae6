import { anyOf, atMost, contains, defineList, equals, ResourceDefinition } from '@plinth/core';
import type { FastifyRequest } from 'fastify';

import { rowsOfCompany } from '../companies/company.resource.js';
import { Ticket } from './ticket.entity.js';
import { TICKET_NOT_FOUND } from './ticket.errors.js';

export const ticketList = defineList(Ticket, {
  name: 'tickets',
  filters: {
    companyId: equals('companyId'),
    status: anyOf('status'),
    assigneeId: equals('assigneeId'),
    tag: contains('tags'),
    dueBy: atMost('dueOn'),
    isArchived: equals('isArchived'),
  },
  sorts: ['dueOn'],
  unindexed: ['assigneeId', 'dueOn'],
  totals: ['status', 'isArchived'],
  search: { subject: 'A', description: 'B' },
});

/** Leaves out archived tickets, unless the query says what to do with them. */
export const CURRENT_TICKETS = {
  isArchived: ({ query }: FastifyRequest) => ('isArchived' in (query as object) ? undefined : false),
};

export const TICKETS: ResourceDefinition<Ticket> = {
  path: 'tickets',
  entity: Ticket,
  notFound: TICKET_NOT_FOUND,
  description:
    'What customers ask the desk. Lists leave out archived tickets, except with `isArchived=true`.',
  rows: rowsOfCompany,
};
