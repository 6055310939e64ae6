import { defineList } from '../../lists/list-definition.js';
import { LoginEntity } from './login.entity.js';

/** Logins that have not expired. A caller has but a few, and each request moves them. */
export const sessionList = defineList(LoginEntity, {
  name: 'sessions',
  only: ({ expiresAt }) => `${expiresAt} >= now()`,
  sorts: ['lastSeenAt'],
  unindexed: ['lastSeenAt'],
});
