import { FastifyInstance } from 'fastify';

import { runForCaller } from '../database/caller-shares.js';
import { callerKey } from '../http/rate-limit/caller-key.js';

/**
 * Makes each request use the connections of its caller's share. The hook runs after the body is read, because `node:http`
 * reads the body in the asynchronous context of the connection, and the context of earlier hooks is lost. Queries of
 * earlier hooks are outside the share. They are short, and do not wait for locks.
 */
export function registerCallerShares(server: FastifyInstance): void {
  server.addHook('preValidation', (request, _reply, done) => {
    runForCaller(callerKey(request), done);
  });
}
