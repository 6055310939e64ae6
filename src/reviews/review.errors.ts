import { defineError } from '../core/index.js';

export const REVIEW_NOT_FOUND = defineError(404, 'REVIEW_NOT_FOUND', 'There is no such review.');
export const REVIEW_ALREADY_EXISTS = defineError(
  409,
  'REVIEW_ALREADY_EXISTS',
  'The user has reviewed this product already.',
);
