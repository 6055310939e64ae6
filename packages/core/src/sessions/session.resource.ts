import { CALLER, denialsOnParent } from '../access/grant-sources.js';
import { NO_STORE } from '../http/caching/cache-policy.js';
import { defineList } from '../lists/list-definition.js';
import { ResourceDefinition } from '../resources/resource.js';
import { Login } from './login.entity.js';
import { SESSION_NOT_FOUND } from './session.errors.js';

/**
 * The list of logins that have not expired. The condition is written so that PostgreSQL cannot use the index on
 * `expires_at`, by which it would read the logins of all users.
 */
export const sessionList = defineList(Login, {
  name: 'sessions',
  only: ({ expiresAt }) => `${expiresAt} - now() >= interval '0'`,
  sorts: ['lastSeenAt'],
  unindexed: ['createdAt', 'lastSeenAt'],
});

/** The resource of logins, `/sessions`, for `@Resource()` of the controller of an application. */
export const SESSIONS: ResourceDefinition<Login> = {
  path: 'sessions',
  description: 'The logins of a user.',
  entity: Login,
  notFound: SESSION_NOT_FOUND,
  cache: NO_STORE,
  grants: [denialsOnParent('user', 'userId', CALLER)],
};
