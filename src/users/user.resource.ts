import { grantsOn } from '../access/grant-links.js';
import { equals } from '../lists/filters.js';
import { defineList } from '../lists/list-definition.js';
import { ResourceDefinition } from '../resources/resource.js';
import { assertMayCreate } from './user.access.js';
import { User } from './user.entity.js';
import { EMAIL_ALREADY_EXISTS, USER_HAS_ORDERS, USER_NOT_FOUND } from './user.errors.js';

export const userList = defineList(User, {
  name: 'users',
  filters: { role: equals('role') },
  sorts: ['email'],
  totals: ['role'],
});

const MANAGERS_OR_SELF = { permission: 'manage_users', orSelf: 'id' } as const;

export const USERS: ResourceDefinition<User> = {
  path: 'users',
  description: 'Customer accounts.',
  entity: User,
  notFound: USER_NOT_FOUND,
  constraints: { users_email_key: EMAIL_ALREADY_EXISTS, orders_user_id_fkey: USER_HAS_ORDERS },
  list: userList,
  exampleWhenNew: { id: 101 },
  grants: [grantsOn('user')],
  access: {
    read: MANAGERS_OR_SELF,
    create: { assert: assertMayCreate },
    update: MANAGERS_OR_SELF,
    delete: MANAGERS_OR_SELF,
  },
};
