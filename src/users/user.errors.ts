import { defineError } from '../core/index.js';

export const USER_NOT_FOUND = defineError(404, 'USER_NOT_FOUND', 'There is no such user.');
export const USER_HAS_ORDERS = defineError(409, 'USER_HAS_ORDERS', 'A user with orders cannot be deleted.');
