import { CALLER, defineList, ResourceDefinition } from '../../core/index.js';
import { hiddenWith, NO_STORE } from '../../core/auth.js';
import { Login } from './login.entity.js';
import { SESSION_NOT_FOUND } from '../auth.errors.js';

/**
 * Logins that have not expired. A caller has but a few, and each request moves them. The index on `expires_at` cannot
 * serve it: where PostgreSQL expects no rows, it could read the logins of all users by it.
 */
export const sessionList = defineList(Login, {
  name: 'sessions',
  only: ({ expiresAt }) => `${expiresAt} - now() >= interval '0'`,
  sorts: ['lastSeenAt'],
  unindexed: ['createdAt', 'lastSeenAt'],
});

export const SESSIONS: ResourceDefinition<Login> = {
  path: 'sessions',
  description: 'Where a user is logged in.',
  entity: Login,
  notFound: SESSION_NOT_FOUND,
  cache: NO_STORE,
  grants: [hiddenWith('user', 'userId', CALLER)],
};
