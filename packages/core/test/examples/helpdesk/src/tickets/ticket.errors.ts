import { defineErrors } from '@plinth/core';

export const {
  TICKET_NOT_FOUND,
  TICKET_ARCHIVED,
  TICKET_NOT_SOLVED,
  INVALID_STATUS_TRANSITION,
  ASSIGNEE_NOT_AGENT,
} = defineErrors({
  TICKET_NOT_FOUND: [404, 'There is no such ticket.'],
  TICKET_ARCHIVED: [409, 'An archived ticket cannot change.'],
  TICKET_NOT_SOLVED: [409, 'Only a solved ticket can be archived.'],
  INVALID_STATUS_TRANSITION: [409, 'The ticket cannot change from its status to the new one.'],
  ASSIGNEE_NOT_AGENT: [422, 'Only people of the desk can work on a ticket.'],
});
