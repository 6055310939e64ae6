import { FastifyRequest } from 'fastify';

import { deniedByGrant } from '#src/access/decision.js';
import { isInScope, ListScope } from '#src/common/lists/list-query.js';

/** A scope that single rows are judged by as well, when they are shown. */
export function readScopeOf(scope: ListScope): NonNullable<FastifyRequest['readScope']> {
  const mustShow = (row: object): void => {
    if (!isInScope(scope, row)) throw deniedByGrant('read');
  };
  return { ...scope, mustShow };
}
