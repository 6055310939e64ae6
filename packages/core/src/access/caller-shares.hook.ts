import { FastifyInstance } from 'fastify';

import { runForCaller } from '../database/caller-shares.js';
import { callerKey } from '../http/rate-limit/caller-key.js';

/**
 * Adds a hook that counts the database connections of a request against the share of its caller. The hook runs after
 * the body is read. An earlier hook could not set the asynchronous context of the handler, because `node:http` reads
 * the body in the context of the connection.
 *
 * The queries of earlier hooks do not count against a share. This is acceptable, because they are short and do not wait
 * for locks.
 */
export function registerCallerShares(server: FastifyInstance): void {
  server.addHook('preValidation', (request, _reply, done) => {
    runForCaller(callerKey(request), done);
  });
}
