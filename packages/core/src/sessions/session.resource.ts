import { CALLER, denialsOnParent } from '../access/grant-sources.js';
import { rowsOfUsers } from '../access/row-limits.js';
import { NO_STORE } from '../http/caching/cache-policy.js';
import { defineList } from '../lists/list-definition.js';
import { ResourceDefinition } from '../resources/resource.js';
import { Login } from './login.entity.js';
import { SESSION_NOT_FOUND } from './session.errors.js';

/**
 * Declares the list of the caller's logins that have not expired. Use it in the controller of your application.
 * @example list(@ListQuery(sessionList, { userId: ownRows() }) query: ListQuery, @CurrentUser() caller: Caller) { … }
 */
export const sessionList = defineList(Login, {
  name: 'sessions',
  // Use `expires_at` in an expression, so that PostgreSQL does not use the index on this column. With this index, it
  // would read the logins of all users.
  only: ({ expiresAt }) => `${expiresAt} - now() >= interval '0'`,
  sorts: ['lastSeenAt'],
  unindexed: ['createdAt', 'lastSeenAt'],
});

/**
 * Declares the resource of logins, `/sessions`. Use it in the controller of your application.
 * @example @Resource({ ...SESSIONS, version: ['1', '2'], responseDto: SessionDto })
 */
export const SESSIONS: ResourceDefinition<Login> = {
  path: 'sessions',
  description: 'The logins of a user.',
  entity: Login,
  notFound: SESSION_NOT_FOUND,
  cache: NO_STORE,
  grants: [denialsOnParent('user', 'userId', CALLER)],
  rows: rowsOfUsers('userId'),
};
