import { ALL_ROWS, defineList, equals, ResourceDefinition, RowsCaller } from '@plinth/core';

import { Company } from './company.entity.js';
import { COMPANY_ALREADY_EXISTS, COMPANY_NOT_FOUND } from './company.errors.js';

export const companyList = defineList(Company, {
  name: 'companies',
  filters: { name: equals('name') },
  sorts: ['name'],
});

export const COMPANIES: ResourceDefinition<Company> = {
  path: 'companies',
  entity: Company,
  notFound: COMPANY_NOT_FOUND,
  description: 'The customers of the desk.',
  constraints: { companies_name_key: COMPANY_ALREADY_EXISTS },
  rows: ({ caller }) => (caller.isStaff ? ALL_ROWS : { id: caller.attributes.companyId }),
};

/** The `rows` of a resource with a `companyId`: all for the desk, and those of their company for customers. */
export const rowsOfCompany = ({ caller }: { readonly caller: RowsCaller }) =>
  caller.isStaff ? ALL_ROWS : { companyId: caller.attributes.companyId };
