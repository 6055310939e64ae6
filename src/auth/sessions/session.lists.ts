import { defineList } from '../../lists/list-definition.js';
import { LoginEntity } from './login.entity.js';

export const sessionList = defineList(LoginEntity, { name: 'sessions', sorts: ['lastSeenAt'] });
