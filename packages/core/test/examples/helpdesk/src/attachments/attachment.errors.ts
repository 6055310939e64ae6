import { defineErrors } from '@plinth/core';

export const { ATTACHMENT_NOT_FOUND, MEDIA_TYPE_NOT_ALLOWED, RANGE_NOT_SATISFIABLE } = defineErrors({
  ATTACHMENT_NOT_FOUND: [404, 'There is no such attachment.'],
  RANGE_NOT_SATISFIABLE: [416, 'The attachment has none of the bytes that Range names.'],
  MEDIA_TYPE_NOT_ALLOWED: [422, 'The file must be a PNG, a JPEG or a PDF, and be sent as such.'],
});
