import { FastifyInstance } from 'fastify';

import { Replicas } from '../database/replicas.js';
import { callerKey } from '../http/rate-limit/caller-key.js';
import { isSafeMethod } from '../http/methods.js';

/** Routes reads to replicas, except those of callers who wrote lately; logins call `Replicas.wrote`. */
export function registerReplicaReads(server: FastifyInstance, replicas: Replicas | undefined): void {
  if (!replicas) return;
  server.addHook('onRequest', (request, _reply, done) => {
    if (isSafeMethod(request.method)) replicas.routeRead(callerKey(request), done);
    else done();
  });
  server.addHook('onSend', async (request, { statusCode }) => {
    // After a 4xx or 503 nothing was written; after another 5xx nobody knows.
    const isRefused = (statusCode >= 400 && statusCode < 500) || statusCode === 503;
    if (!isSafeMethod(request.method) && !isRefused) await replicas.recordWrite(callerKey(request));
  });
}
