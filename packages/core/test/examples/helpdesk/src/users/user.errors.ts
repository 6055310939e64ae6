import { defineErrors } from '@plinth/core';

export const { USER_NOT_FOUND } = defineErrors({
  USER_NOT_FOUND: [404, 'There is no such user.'],
});
