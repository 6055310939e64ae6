import { FastifyInstance } from 'fastify';

import { Replicas } from '../database/replicas.js';
import { callerKey } from '../http/rate-limit/caller-key.js';
import { isSafeMethod } from '../http/methods.js';

/**
 * Adds hooks that send reads to replicas. If a caller has written something a short time ago, their reads go to the
 * primary, because replicas may not have the written rows yet. A login writes on behalf of a user who is not yet the
 * caller. Therefore the login itself calls `Replicas.recordWrite()`.
 */
export function registerReplicaReads(server: FastifyInstance, replicas: Replicas | undefined): void {
  if (!replicas) return;
  server.addHook('onRequest', (request, _reply, done) => {
    if (isSafeMethod(request.method)) replicas.routeRead(callerKey(request), done);
    else done();
  });
  server.addHook('onSend', async (request, { statusCode }) => {
    // A request that ends with 4xx or 503 has written nothing. A request that ends with any other 5xx may have written
    // something.
    const isRefused = (statusCode >= 400 && statusCode < 500) || statusCode === 503;
    if (!isSafeMethod(request.method) && !isRefused) await replicas.recordWrite(callerKey(request));
  });
}
