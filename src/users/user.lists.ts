import { ROLES } from '../access/permissions.js';
import { defineList, equalsChoice } from '../lists/list-definition.js';

/** Filters and sorts of the list of users. */
export const userList = defineList({
  name: 'users',
  filters: { role: equalsChoice('role', ROLES) },
  sorts: { email: { type: 'text' } },
});
