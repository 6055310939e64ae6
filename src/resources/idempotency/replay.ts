import { FastifyRequest } from 'fastify';

import '../../access/access.hook.js';
import { deniedByGrant } from '../../access/decision.js';
import '../../access/grant-links.js';
import { StoredResponse } from './stored-response.js';

/** Asserts that no grant has hidden what a stored answer shows. @throws ApiError `PERMISSION_DENIED` */
export function assertNotHidden({ policy, grants }: FastifyRequest, { headers }: StoredResponse): void {
  const link = policy?.grants?.find(({ property }) => property === 'id');
  const id = Number(headers['location']?.split('/').at(-1));
  if (link && grants.deniedIds(link.type, 'read').has(id)) throw deniedByGrant('read');
}
