import { defineError } from '../../../src/core/index.js';

export const ISSUER_UNAVAILABLE = defineError(
  503,
  'ISSUER_UNAVAILABLE',
  'The issuer of the token does not hand out its keys; Retry-After says when to try again.',
);
