import { defineErrors } from '@plinth/core';

export const { ISSUER_UNAVAILABLE } = defineErrors({
  ISSUER_UNAVAILABLE: [503, 'The keys of the issuer are not available. Retry-After says when to try again.'],
});
