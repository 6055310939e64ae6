import { defineList, equals, ResourceDefinition, rowsOf } from '@plinth/core';

import { TICKETS } from '../tickets/ticket.resource.js';
import { Attachment } from './attachment.entity.js';
import { ATTACHMENT_NOT_FOUND } from './attachment.errors.js';

export const attachmentList = defineList(Attachment, {
  name: 'attachments',
  filters: { ticketId: equals('ticketId') },
});

export const ATTACHMENTS: ResourceDefinition<Attachment> = {
  path: 'attachments',
  entity: Attachment,
  notFound: ATTACHMENT_NOT_FOUND,
  description: 'Files on tickets.',
  rows: rowsOf(TICKETS, 'ticketId'),
};
