import { FastifyInstance, FastifyRequest } from 'fastify';

import { Replicas } from '../database/replicas/replicas.js';
import { addressKey } from '../http/rate-limit/address-key.js';
import { isSafeMethod } from '../http/safe-methods.js';

/**
 * Has requests that only read be answered from replicas, but for callers who have written lately. To be registered when
 * the caller is known and access is decided, which is always read from the primary.
 *
 * A caller who is not known when a request begins, as in a login or a registration, is remembered by address.
 */
export function registerReplicaReads(server: FastifyInstance, replicas: Replicas | undefined): void {
  if (!replicas) return;
  server.addHook('onRequest', (request, _reply, done) => {
    if (!isSafeMethod(request.method)) {
      done();
      return;
    }
    replicas.route(
      [userKey(request), addressKey(request.ip)].filter((key) => key !== undefined),
      done,
    );
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    // After a 4xx or 503 nothing was written; after another 5xx nobody knows.
    const { statusCode } = reply;
    const isRefused = (statusCode >= 400 && statusCode < 500) || statusCode === 503;
    if (isSafeMethod(request.method) || isRefused) {
      done(null, payload);
      return;
    }
    void replicas.wrote(userKey(request) ?? addressKey(request.ip)).then(() => {
      done(null, payload);
    });
  });
}

/** The user of a request, by whatever credentials. */
function userKey({ principal }: FastifyRequest): string | undefined {
  return principal?.userId ? `user ${principal.userId}` : undefined;
}
