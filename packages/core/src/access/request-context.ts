import { FastifyInstance } from 'fastify';

import { SqlExecutor } from '../database/sql-executor.js';
import { AccessScope, EVERYTHING } from './access-scope.js';
import { Grants, NO_GRANTS } from './grants.js';
import { Principal } from './principal.js';

/**
 * The caller of a request, and what they may do. Parameter decorators such as `@CurrentUser()`, interceptors and
 * batches read it as `request.context`. Before authentication it has no principal.
 */
export class RequestContext {
  /**
   * The caller. Authentication sets it before the body is read. It is `null` on public routes. On public routes that
   * authenticate callers, it is `null` only if the request carries no credentials.
   */
  principal: Principal | null = null;
  /** The rows with which the caller may do what the request asks for. The access hook sets it before the body is read. */
  scope: AccessScope = EVERYTHING;
  /** The grants of the caller, if the route declares grant sources. The access hook sets them. */
  grants: Grants = NO_GRANTS;
  /** The transaction of a POST. The idempotency interceptor sets it before the handler runs. */
  transaction?: SqlExecutor;
}

/** Gives each request its `RequestContext`, before any hook that completes it. */
export function registerRequestContext(server: FastifyInstance): void {
  server.decorateRequest('context');
  server.addHook('onRequest', (request, _reply, done) => {
    request.context = new RequestContext();
    done();
  });
}
