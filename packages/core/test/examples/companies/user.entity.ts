import { ALL_ROWS, defineList, equals, grantsOn, Id, ResourceDefinition } from '@plinth/core';
import { Entity, ForeignKey } from 'typeorm';

import { User as BaseUser } from '../../../../../src/users/user.entity.js';
import { USERS as BASE_USERS } from '../../../../../src/users/user.resource.js';
import { Company, companyOf } from './companies.js';

/** A user of a company. */
@Entity('users')
export class User extends BaseUser {
  @Id({ nullable: true, example: 1 })
  @ForeignKey(() => Company)
  companyId: number | null;
}

export const userList = defineList(User, {
  name: 'users',
  filters: { role: equals('role') },
  sorts: ['email'],
  totals: ['role'],
  search: { email: 'A', name: 'B' },
});

export const USERS: ResourceDefinition<User> = {
  ...BASE_USERS,
  entity: User,
  grants: [grantsOn('user')],
  rows: ({ caller }) => {
    if (caller.isStaff) return ALL_ROWS;
    const companyId = companyOf(caller);
    return companyId === null ? { id: caller.userId } : { companyId };
  },
};
