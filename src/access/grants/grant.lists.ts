import { defineList, equalsChoice, equalsId } from '#src/common/lists/list-definition.js';

import { RESOURCE_TYPES } from './grants.js';

export const grantList = defineList({
  name: 'access-grants',
  filters: {
    userId: equalsId('userId'),
    apiKeyId: equalsId('apiKeyId'),
    resourceType: equalsChoice('resourceType', RESOURCE_TYPES),
    resourceId: equalsId('resourceId'),
  },
});
