import { defineList } from '../../lists/list-definition.js';

export const sessionList = defineList({ name: 'sessions', sorts: { lastSeenAt: { type: 'timestamp' } } });
