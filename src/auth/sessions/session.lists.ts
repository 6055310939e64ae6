import { defineList } from '../../lists/list-definition.js';
import { LoginEntity } from './login.entity.js';

// A caller has but a few sessions, and each request moves them.
export const sessionList = defineList(LoginEntity, {
  name: 'sessions',
  sorts: ['lastSeenAt'],
  unindexed: ['lastSeenAt'],
});
