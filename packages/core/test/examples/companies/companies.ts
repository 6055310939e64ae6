import {
  ALL_ROWS,
  defineErrors,
  defineList,
  ResourceDefinition,
  ResourceEntity,
  RowsCaller,
  Text,
} from '@plinth/core';
import { Entity } from 'typeorm';

export const { COMPANY_NOT_FOUND } = defineErrors({ COMPANY_NOT_FOUND: [404, 'There is no such company.'] });

@Entity('companies')
export class Company extends ResourceEntity {
  @Text({ max: 200, example: 'Acme' })
  name: string;
}

export const companyList = defineList(Company, { name: 'companies', totals: [] });

export const COMPANIES: ResourceDefinition<Company> = {
  path: 'companies',
  entity: Company,
  notFound: COMPANY_NOT_FOUND,
  rows: ({ caller }) => (caller.isStaff ? ALL_ROWS : { id: companyOf(caller) }),
};

/** The company of a caller, or `null` if the caller belongs to none. */
export const companyOf = ({ attributes }: RowsCaller) => attributes['companyId'] ?? null;
