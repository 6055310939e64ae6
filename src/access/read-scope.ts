import { FastifyRequest } from 'fastify';

import { isInScope, ListScope } from '../lists/list-query.js';
import { deniedByGrant } from './decision.js';

/** A scope that single rows are judged by as well, when they are shown. */
export function readScopeOf(scope: ListScope): NonNullable<FastifyRequest['readScope']> {
  const mustShow = (row: object): void => {
    if (!isInScope(scope, row)) throw deniedByGrant('read');
  };
  return { ...scope, mustShow };
}
