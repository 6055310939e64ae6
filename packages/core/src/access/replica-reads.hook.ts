import { FastifyInstance, FastifyRequest } from 'fastify';

import { Replicas, writingUser } from '../database/replicas.js';
import { addressKey } from '../http/rate-limit/rate-limit.js';
import { isSafeMethod } from '../http/methods.js';

/** Routes reads to replicas, except those of callers who wrote lately; logins call `Replicas.wrote`. */
export function registerReplicaReads(server: FastifyInstance, replicas: Replicas | undefined): void {
  if (!replicas) return;
  server.addHook('onRequest', (request, _reply, done) => {
    if (!isSafeMethod(request.method)) {
      done();
      return;
    }
    replicas.route(callerOf(request), done);
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    // After a 4xx or 503 nothing was written; after another 5xx nobody knows.
    const { statusCode } = reply;
    const isRefused = (statusCode >= 400 && statusCode < 500) || statusCode === 503;
    if (isSafeMethod(request.method) || isRefused) {
      done(null, payload);
      return;
    }
    void replicas.wrote(callerOf(request)).then(() => {
      done(null, payload);
    });
  });
}

const callerOf = ({ principal, ip }: FastifyRequest): string =>
  principal?.userId ? writingUser(principal.userId) : addressKey(ip);
