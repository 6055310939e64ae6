import { ROLES } from '../access/permissions.js';
import { defineList, equalsChoice } from '../lists/list-definition.js';
import { UserEntity } from './user.entity.js';

/** Filters and sorts of the list of users. */
export const userList = defineList(UserEntity, {
  name: 'users',
  filters: { role: equalsChoice('role', ROLES) },
  sorts: ['email'],
});
