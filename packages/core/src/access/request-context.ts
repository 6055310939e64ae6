import { FastifyInstance } from 'fastify';

import { SqlExecutor } from '../database/sql-executor.js';
import { AccessScope, EVERYTHING } from './access-scope.js';
import { Grants, NO_GRANTS } from './grants.js';
import { Principal } from './principal.js';

/**
 * The caller of a request, and what they may do. Parameter decorators such as `@CurrentUser()`, interceptors and
 * batches read it as `request.context`.
 */
export class RequestContext {
  /**
   * The caller. Authentication sets it before the body is read. On a public route, it is `null`, unless the route has
   * `@Public({ identifying: true })` and the request carries credentials.
   */
  principal: Principal | null = null;
  /**
   * The rows on which the caller may perform the action of the request. The access hook sets the scope before the body
   * is read.
   */
  scope: AccessScope = EVERYTHING;
  /** The grants of the caller, if the route declares grant sources. The access hook sets them. */
  grants: Grants = NO_GRANTS;
  /** The transaction of a POST. The idempotency interceptor sets it before the handler runs. */
  transaction?: SqlExecutor;
}

/**
 * Adds a hook that gives each request a `RequestContext`. Call it before the functions whose hooks set properties of
 * the context.
 */
export function registerRequestContext(server: FastifyInstance): void {
  server.decorateRequest('context');
  server.addHook('onRequest', (request, _reply, done) => {
    request.context = new RequestContext();
    done();
  });
}
