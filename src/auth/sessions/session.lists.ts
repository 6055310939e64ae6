import { defineList } from '#src/common/lists/list-definition.js';

export const sessionList = defineList({ name: 'sessions', sorts: { lastSeenAt: { type: 'timestamp' } } });
