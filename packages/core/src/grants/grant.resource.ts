import { rowsOf, rowsOfUsers } from '../access/row-limits.js';
import { API_KEYS } from '../api-keys/api-key.resource.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { equals } from '../lists/filters.js';
import { defineList } from '../lists/list-definition.js';
import { ResourceDefinition } from '../resources/resource.js';
import { AccessGrant } from './grant.entity.js';
import { ACCESS_GRANT_NOT_FOUND } from './grant.errors.js';

export const accessGrantList = defineList(AccessGrant, {
  name: 'access-grants',
  filters: {
    userId: equals('userId'),
    apiKeyId: equals('apiKeyId'),
    resourceType: equals('resourceType'),
    resourceId: equals('resourceId'),
  },
});

export const ACCESS_GRANTS: ResourceDefinition<AccessGrant> = {
  path: 'access-grants',
  description: 'Exceptions to what a role may do.',
  entity: AccessGrant,
  notFound: ACCESS_GRANT_NOT_FOUND,
  constraints: {
    access_grants_user_id_fkey: HttpErrors.UNPROCESSABLE_ENTITY,
    access_grants_api_key_id_fkey: HttpErrors.UNPROCESSABLE_ENTITY,
  },
  // Grants open no grants.
  grants: [],
  rows: [rowsOfUsers('userId'), rowsOf(API_KEYS, 'apiKeyId')],
};
