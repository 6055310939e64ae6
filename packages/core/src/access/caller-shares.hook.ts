import { FastifyInstance } from 'fastify';

import { runForCaller } from '../database/caller-shares.js';
import { callerKey } from '../http/rate-limit/caller-key.js';

/**
 * Has each request use the connections of its caller's share. Runs after the body is read: `node:http` reads it in the
 * context of the connection, not in that of the hooks before. What those ask the database is short, and waits for no row.
 */
export function registerCallerShares(server: FastifyInstance): void {
  server.addHook('preValidation', (request, _reply, done) => {
    runForCaller(callerKey(request), done);
  });
}
