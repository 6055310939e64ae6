import { RESOURCE_TYPES } from '../access/grants.js';
import { defineList, equalsChoice, equalsId } from '../lists/list-definition.js';

export const grantList = defineList({
  name: 'access-grants',
  filters: {
    userId: equalsId('userId'),
    apiKeyId: equalsId('apiKeyId'),
    resourceType: equalsChoice('resourceType', RESOURCE_TYPES),
    resourceId: equalsId('resourceId'),
  },
});
