import { ServerResponse } from 'node:http';

import { FastifyInstance } from 'fastify';
import { Logger } from 'pino';

import { ApiError } from '../http/errors/api-error.js';
import { OVERLOADED } from '../http/errors/http.errors.js';
import { isBodyComing } from '../http/methods.js';
import { isHealth } from './availability.js';
import { Pressure } from './pressure.js';

/** How long a request counts whose client is gone: longer than a statement may take. */
const ABANDONED_MS = 10_000;
/** How often the log says how many requests were refused. */
const LOG_EVERY_MS = 10_000;

const overloaded = (retryAfter: string): ApiError =>
  new ApiError(OVERLOADED, OVERLOADED.summary, { headers: { 'retry-after': retryAfter } });

/** Made once: an error is expensive, and nobody reads the stack of these. */
const ERRORS = { inFlight: overloaded('1'), pressure: overloaded('5') };

/**
 * Bounds the requests that a process works at. What comes on top, or while the process is under pressure, is 503
 * `OVERLOADED` at once. Health is never refused. A request counts from the end of its body, so that slow senders keep
 * nobody out, until its response is made, even if its client has gone.
 */
export class Overload {
  private readonly working = new Set<ServerResponse>();
  private refused = 0;
  private loggedAt = -Infinity;

  constructor(
    private readonly maxInFlight: number,
    private readonly pressure: Pressure,
    private readonly logger: Logger,
  ) {}

  /** @param uncounted headers of refusals, which no rate limit counts */
  register(server: FastifyInstance, uncounted: Readonly<Record<string, string>>): void {
    server.addHook('onRequest', (request, reply, done) => {
      const error = isHealth(request.url) ? undefined : this.refusal();
      if (error) void reply.headers(uncounted);
      else if (!isBodyComing(request.raw)) this.enter(reply.raw);
      done(error);
    });
    server.addHook('preValidation', (request, reply, done) => {
      const error = isBodyComing(request.raw) && !isHealth(request.url) ? this.refusal() : undefined;
      if (!error) this.enter(reply.raw);
      done(error);
    });
    server.addHook('onSend', (_request, reply, payload, done) => {
      this.working.delete(reply.raw);
      done(null, payload);
    });
    server.addHook('onListen', (done) => {
      this.pressure.start();
      done();
    });
    server.addHook('onClose', (_server, done) => {
      this.pressure.stop();
      done();
    });
  }

  /** A response that goes on for as long as its client likes does not count. */
  readonly outlast = (response: ServerResponse): void => {
    this.working.delete(response);
  };

  private enter(response: ServerResponse): void {
    if (this.working.has(response)) return;
    this.working.add(response);
    response.once('close', () => {
      if (response.writableEnded) this.working.delete(response);
      else setTimeout(() => this.working.delete(response), ABANDONED_MS).unref();
    });
  }

  private refusal(): ApiError | undefined {
    const isFull = this.working.size >= this.maxInFlight;
    const cause = this.pressure.isHigh ? 'pressure' : isFull ? 'inFlight' : undefined;
    if (!cause) return undefined;
    this.refused++;
    const now = performance.now();
    if (now - this.loggedAt > LOG_EVERY_MS) {
      this.logger.warn({ refused: this.refused, atWork: this.working.size, cause }, OVERLOADED.summary);
      this.refused = 0;
      this.loggedAt = now;
    }
    return ERRORS[cause];
  }
}
