import { ROLES } from '../access/permissions.js';
import { choice } from '../fields/kinds.js';
import { equals } from '../lists/filters.js';
import { defineList } from '../lists/list-definition.js';
import { UserEntity } from './user.entity.js';

/** Filters and sorts of the list of users. */
export const userList = defineList(UserEntity, {
  name: 'users',
  filters: { role: equals('role', choice(ROLES)) },
  sorts: ['email'],
});
