import { RESOURCE_TYPES } from '../access/grants.js';
import { choice, id } from '../fields/kinds.js';
import { equals } from '../lists/filters.js';
import { defineList } from '../lists/list-definition.js';
import { GrantEntity } from './grant.entity.js';

export const grantList = defineList(GrantEntity, {
  name: 'access-grants',
  filters: {
    userId: equals('userId', id),
    apiKeyId: equals('apiKeyId', id),
    resourceType: equals('resourceType', choice(RESOURCE_TYPES)),
    resourceId: equals('resourceId', id),
  },
});
