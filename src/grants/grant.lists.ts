import { RESOURCE_TYPES } from '../access/grants.js';
import { defineList, equalsChoice, equalsId } from '../lists/list-definition.js';
import { GrantEntity } from './grant.entity.js';

export const grantList = defineList(GrantEntity, {
  name: 'access-grants',
  filters: {
    userId: equalsId('userId'),
    apiKeyId: equalsId('apiKeyId'),
    resourceType: equalsChoice('resourceType', RESOURCE_TYPES),
    resourceId: equalsId('resourceId'),
  },
});
