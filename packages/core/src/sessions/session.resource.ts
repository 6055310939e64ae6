import { CALLER, denialsOnParent } from '../access/grant-sources.js';
import { NO_STORE } from '../http/caching/cache-policy.js';
import { defineList } from '../lists/list-definition.js';
import { ResourceDefinition } from '../resources/resource.js';
import { Login } from './login.entity.js';
import { SESSION_NOT_FOUND } from './session.errors.js';

/** Logins that have not expired: the index on `expires_at` cannot serve it, by which those of all might be read. */
export const sessionList = defineList(Login, {
  name: 'sessions',
  only: ({ expiresAt }) => `${expiresAt} - now() >= interval '0'`,
  sorts: ['lastSeenAt'],
  unindexed: ['createdAt', 'lastSeenAt'],
});

/** The resource of logins, `/sessions`, for `@Resource()` of their controller. */
export const SESSIONS: ResourceDefinition<Login> = {
  path: 'sessions',
  description: 'Where a user is logged in.',
  entity: Login,
  notFound: SESSION_NOT_FOUND,
  cache: NO_STORE,
  grants: [denialsOnParent('user', 'userId', CALLER)],
};
