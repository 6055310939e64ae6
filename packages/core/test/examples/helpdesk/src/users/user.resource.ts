import { defineList, equals, grantsOn, ResourceDefinition } from '@plinth/core';
import { EMAIL_ALREADY_EXISTS } from '@plinth/core/auth';

import { rowsOfCompany } from '../companies/company.resource.js';
import { User } from './user.entity.js';
import { USER_NOT_FOUND } from './user.errors.js';

export const userList = defineList(User, {
  name: 'users',
  filters: { role: equals('role') },
  sorts: ['email'],
  totals: ['role'],
  search: { email: 'A', name: 'B' },
});

export const USERS: ResourceDefinition<User> = {
  path: 'users',
  description: 'The accounts of customers and of the desk.',
  entity: User,
  notFound: USER_NOT_FOUND,
  constraints: { users_email_key: EMAIL_ALREADY_EXISTS },
  grants: [grantsOn('user')],
  rows: ({ caller }) =>
    caller.isStaff || caller.attributes.companyId !== null
      ? rowsOfCompany({ caller })
      : { id: caller.userId },
};
