import underPressure from '@fastify/under-pressure';
import { FastifyInstance } from 'fastify';

import { Config } from '../config/config.js';
import { ApiError } from '../http/errors/api-error.js';
import { HTTPS_REQUIRED, MAINTENANCE, OVERLOADED, SHUTTING_DOWN } from '../http/errors/http.errors.js';

/** How late the event loop may run, and how much of the heap may be in use, before requests are turned away. */
const MAX_EVENT_LOOP_DELAY_MS = 1_000;
/** A service under test shares its event loop with the test and its compiler. */
const MAX_EVENT_LOOP_DELAY_IN_TESTS_MS = 30_000;
const MAX_HEAP_SHARE = 0.95;
/** How long the sample of the event loop that the start itself is in counts: it is no load. */
const STARTING_MS = 2_000;
const HSTS = 'max-age=31536000; includeSubDomains';

/** Whether the process takes requests: it does not from the signal that stops it on. */
export class Lifecycle {
  isStopping = false;
  /** Requests that are being answered. */
  inFlight = 0;
}

/** Turns away what the server cannot or must not answer now: while it stops, in maintenance, overloaded, without TLS. */
export async function registerAvailability(
  server: FastifyInstance,
  config: Config,
  lifecycle: Lifecycle,
): Promise<void> {
  server.addHook('onRequest', (request, reply, done) => {
    lifecycle.inFlight++;
    // Not `onResponse`, which never comes where the client goes first.
    reply.raw.once('close', () => {
      lifecycle.inFlight--;
    });
    if (!lifecycle.isStopping) {
      done();
      return;
    }
    // HTTP/2 has no such header (RFC 9113 §8.2.2): its sessions are closed as a whole.
    if (request.raw.httpVersionMajor < 2) void reply.header('connection', 'close');
    done(isHealth(request.url) ? undefined : unavailable(SHUTTING_DOWN, 5));
  });
  if (config.maintenance) {
    server.addHook('onRequest', (request, _reply, done) => {
      done(isHealth(request.url) ? undefined : unavailable(MAINTENANCE, 60));
    });
  }
  if (config.environment === 'production') registerHttpsOnly(server);
  const { heap_size_limit: heapLimit } = (await import('node:v8')).getHeapStatistics();
  let startedAt = 0;
  server.addHook('onListen', (done) => {
    startedAt = Date.now();
    done();
  });
  await server.register(underPressure, {
    maxEventLoopDelay:
      config.environment === 'test' ? MAX_EVENT_LOOP_DELAY_IN_TESTS_MS : MAX_EVENT_LOOP_DELAY_MS,
    maxHeapUsedBytes: Math.floor(heapLimit * MAX_HEAP_SHARE),
    pressureHandler: (request) => {
      const isStarting = Date.now() - startedAt < STARTING_MS;
      if (!isStarting && !isHealth(request.url)) throw unavailable(OVERLOADED, 5);
    },
  });
}

function registerHttpsOnly(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (request.protocol === 'https') {
      void reply.header('strict-transport-security', HSTS);
      done();
      return;
    }
    // Probes reach the process itself, not the proxy in front of it.
    done(isHealth(request.url) ? undefined : new ApiError(HTTPS_REQUIRED));
  });
}

const isHealth = (url: string): boolean => url.startsWith('/health/');

const unavailable = (type: typeof OVERLOADED, seconds: number): ApiError =>
  new ApiError(type, type.summary, { headers: { 'retry-after': String(seconds) } });
