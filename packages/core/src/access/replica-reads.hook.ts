import { FastifyInstance } from 'fastify';

import { Replicas } from '../database/replicas.js';
import { callerKey } from '../http/rate-limit/caller-key.js';
import { isSafeMethod } from '../http/methods.js';

/**
 * Sends reads to replicas, except those of callers who wrote a short time ago. A login writes on behalf of a user who
 * is not yet the caller, so it calls `Replicas.recordWrite()` itself.
 */
export function registerReplicaReads(server: FastifyInstance, replicas: Replicas | undefined): void {
  if (!replicas) return;
  server.addHook('onRequest', (request, _reply, done) => {
    if (isSafeMethod(request.method)) replicas.routeRead(callerKey(request), done);
    else done();
  });
  server.addHook('onSend', async (request, { statusCode }) => {
    // After a 4xx or 503, nothing was written. After another 5xx, something may have been written.
    const isRefused = (statusCode >= 400 && statusCode < 500) || statusCode === 503;
    if (!isSafeMethod(request.method) && !isRefused) await replicas.recordWrite(callerKey(request));
  });
}
