import { defineErrors } from '@plinth/core';

export const { ISSUER_UNAVAILABLE } = defineErrors({
  ISSUER_UNAVAILABLE: [
    503,
    'The issuer of the token does not hand out its keys; Retry-After says when to try again.',
  ],
});
