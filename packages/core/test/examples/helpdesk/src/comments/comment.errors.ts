import { defineErrors } from '@plinth/core';

export const { COMMENT_NOT_FOUND } = defineErrors({
  COMMENT_NOT_FOUND: [404, 'There is no such comment.'],
});
