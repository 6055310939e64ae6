import { ROLES } from '../access/permissions.js';
import { defineList, equalsChoice } from '../lists/list-definition.js';

/** What can be asked of the users. */
export const userList = defineList({
  name: 'users',
  filters: { role: equalsChoice('role', ROLES) },
  sorts: { email: { type: 'text' } },
});
