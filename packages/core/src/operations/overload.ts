import { ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';

import { FastifyInstance, FastifyReply } from 'fastify';

import { ApiError } from '../http/errors/api-error.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { isHealthCheck } from '../http/health-check.js';
import { hasRequestBody } from '../http/methods.js';

/** The limits of a process. If it exceeds one of them, it is under pressure and rejects requests. */
export interface PressureLimits {
  readonly eventLoopDelayMs: number;
  /** The part of V8's heap limit that may be in use, between 0 and 1. */
  readonly heapShare: number;
}

/**
 * V8's heap limit includes the young generation, so a heap of 256 MiB is already full when 0.84 of the limit is in use.
 */
const PRESSURE_LIMITS: PressureLimits = { eventLoopDelayMs: 2_000, heapShare: 0.8 };

const SAMPLE_MS = 250;
/** How long a process stays under pressure after its event loop was blocked. */
const RECOVERY_MS = 1_000;
/**
 * The time for which a request still counts after its client disconnects, because its work may continue. It is longer
 * than the default of `DATABASE_STATEMENT_TIMEOUT_MS`.
 */
const ABANDONED_MS = 10_000;

/**
 * These errors are created only once, because the creation of an error is expensive, and nobody needs their stack
 * traces.
 */
const IN_FLIGHT_EXCEEDED = new ApiError(HttpErrors.OVERLOADED);
const UNDER_PRESSURE = new ApiError(HttpErrors.OVERLOADED, undefined, { headers: { 'retry-after': '5' } });

/**
 * Limits how many requests a process handles at once. Without a limit, a process with too much work would answer all
 * requests too late. With a limit, the process rejects some of them with 503 `OVERLOADED`, and answers the others in
 * time. It also rejects requests if the event loop was blocked a moment ago, or if memory is short. It never rejects
 * health checks.
 *
 * A request counts as soon as its body is complete, so that clients that send slowly do not block others. It counts
 * until its response is ready. If the client disconnects before that, the request counts for at most ten more seconds.
 */
export class Overload {
  private readonly inFlight = new Set<ServerResponse>();
  private isUnderPressure = false;

  constructor(
    private readonly maxInFlight: number,
    private readonly limits = PRESSURE_LIMITS,
  ) {}

  register(server: FastifyInstance): void {
    server.addHook('onRequest', (request, reply, done) => {
      done(this.admit(reply, !hasRequestBody(request.raw)));
    });
    server.addHook('preValidation', (_request, reply, done) => {
      done(this.admit(reply, true));
    });
    server.addHook('onSend', (_request, reply, payload, done) => {
      this.inFlight.delete(reply.raw);
      done(null, payload);
    });
    this.watch(server);
  }

  /**
   * Decides whether to admit a request, and counts an admitted request.
   * @param isReceived whether the body is complete. Otherwise the request is not counted yet
   * @returns the error if the request must be rejected, otherwise `undefined`
   */
  private admit({ raw, request }: FastifyReply, isReceived: boolean): ApiError | undefined {
    if (this.inFlight.has(raw) || isHealthCheck(request.url)) return undefined;
    if (this.isUnderPressure) return UNDER_PRESSURE;
    if (this.inFlight.size >= this.maxInFlight) return IN_FLIGHT_EXCEEDED;
    if (!isReceived || request.policy?.isStream) return undefined;
    this.inFlight.add(raw);
    raw.once('close', () => {
      const leave = (): boolean => this.inFlight.delete(raw);
      if (raw.writableEnded) leave();
      else setTimeout(leave, ABANDONED_MS).unref();
    });
    return undefined;
  }

  /**
   * Checks regularly whether the process exceeds its limits. If a check is late, the event loop was blocked during the
   * delay.
   */
  private watch(server: FastifyInstance): void {
    let dueAt = 0;
    let blockedUntil = 0;
    let timer: NodeJS.Timeout | undefined;
    const sample = (): void => {
      const now = performance.now();
      if (now - dueAt > this.limits.eventLoopDelayMs) blockedUntil = now + RECOVERY_MS;
      dueAt = now + SAMPLE_MS;
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
      this.isUnderPressure = now < blockedUntil || used > limit * this.limits.heapShare;
    };
    server.addHook('onListen', (done) => {
      dueAt = performance.now() + SAMPLE_MS;
      timer = setInterval(sample, SAMPLE_MS).unref();
      done();
    });
    server.addHook('onClose', (_server, done) => {
      clearInterval(timer);
      done();
    });
  }
}
