import { defineErrors } from '@plinth/core';

export const { USER_NOT_FOUND, USER_HAS_ORDERS } = defineErrors({
  USER_NOT_FOUND: [404, 'There is no such user.'],
  USER_HAS_ORDERS: [409, 'A user with orders cannot be deleted.'],
});
