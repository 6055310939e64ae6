import { ROLES } from '#src/access/permissions.js';
import { defineList, equalsChoice } from '#src/common/lists/list-definition.js';

/** What can be asked of the users. */
export const userList = defineList({
  name: 'users',
  filters: { role: equalsChoice('role', ROLES) },
  sorts: { email: { type: 'text' } },
});
