import { defineErrors } from '@plinth/core';

export const { COMPANY_ALREADY_EXISTS, COMPANY_NOT_FOUND } = defineErrors({
  COMPANY_NOT_FOUND: [404, 'There is no such company.'],
  COMPANY_ALREADY_EXISTS: [409, 'Another company has this name.'],
});
