import { IncomingMessage, ServerResponse } from 'node:http';

import { FastifyInstance } from 'fastify';
import { Logger } from 'pino';

import { isBodyComing } from '../http/body/arrival.js';
import { ApiError } from '../http/errors/api-error.js';
import { OVERLOADED } from '../http/errors/http.errors.js';
import { readsBody } from '../http/safe-methods.js';
import { isHealth } from './health-path.js';
import { Pressure } from './pressure.js';

const AT_WORK = Symbol('at work');

/** Whether a response holds a place; `gone`: its client went before its request got one. */
type Response = ServerResponse & { [AT_WORK]?: boolean | 'gone' };

/** Sends an error past Fastify, in the envelope of every other. */
export type Refuse = (request: IncomingMessage, response: ServerResponse, error: ApiError) => void;

/** How long to wait for work that a disconnected client left behind: longer than any statement may take. */
const ABANDONED_MS = 10_000;
/** How often the log says how many requests were turned away. */
const NOTE_EVERY_MS = 10_000;
/** Seconds: when there is room again, and when pressure is over. */
const RETRY_AFTER = { inFlight: '1', pressure: '5' };

/**
 * Bounds the requests that a process works at. Whatever comes on top, or while the process is under pressure, is 503
 * `OVERLOADED` at once, so that what is let in stays fast. Health is always let in.
 */
export class Overload {
  /** Requests at work: admitted, their body read, not answered yet. */
  atWork = 0;
  /** Requests turned away since the start, by cause. */
  readonly shed = { inFlight: 0, pressure: 0, bodies: 0 };
  private turnedAway = 0;
  private notedAt = -Infinity;

  constructor(
    readonly maxInFlight: number,
    readonly pressure: Pressure,
    private readonly refuse: Refuse,
    private readonly logger: Logger,
  ) {}

  /** Whether a request may go on; where not, it is answered. The first thing that happens to a request. */
  readonly admit = (request: IncomingMessage, response: Response): boolean => {
    if (isHealth(request.url ?? '')) return true;
    const error = this.reason();
    if (error) {
      this.refuse(request, response, error);
      return false;
    }
    // A body may be long in coming; its request enters when it is there.
    if (isBodyComing(request)) response[AT_WORK] = false;
    else this.enter(response);
    return true;
  };

  /** Lets requests with a body enter once it is read. */
  register(server: FastifyInstance): void {
    server.addHook('onRoute', (route) => {
      if (!readsBody(route)) return;
      route.preValidation = [
        (_request, reply, done) => {
          const response: Response = reply.raw;
          // Undefined: `inject()` made the request, and nobody says when it ends.
          const isGone = response[AT_WORK] === 'gone';
          const isOutside = response[AT_WORK] === false || isGone;
          const error = isOutside ? this.reason() : undefined;
          if (isOutside && !error) this.enter(response);
          if (isGone && !error) this.leaveWhenDone(response);
          done(error);
        },
        ...[route.preValidation ?? []].flat(),
      ];
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

  /** A response that goes on for as long as its client likes holds no place. */
  readonly outlast = (response: Response): void => {
    this.leave(response);
  };

  /** A response was sent, or its client is gone. */
  ended(response: Response): void {
    if (response[AT_WORK] === false) response[AT_WORK] = 'gone';
    if (response[AT_WORK] !== true) return;
    if (response.writableEnded) this.leave(response);
    else this.leaveWhenDone(response);
  }

  private enter(response: Response): void {
    response[AT_WORK] = true;
    this.atWork++;
  }

  private leave(response: Response): void {
    if (response[AT_WORK] !== true) return;
    response[AT_WORK] = false;
    this.atWork--;
  }

  /** The client is gone, the work is not: clients that go early do not get more done than those that stay. */
  private leaveWhenDone(response: Response): void {
    const timer = setTimeout(() => {
      this.leave(response);
    }, ABANDONED_MS).unref();
    response.end = () => {
      clearTimeout(timer);
      this.leave(response);
      return response;
    };
  }

  private reason(): ApiError | undefined {
    const cause = this.pressure.isHigh
      ? 'pressure'
      : this.atWork >= this.maxInFlight
        ? 'inFlight'
        : undefined;
    if (!cause) return undefined;
    this.note(cause);
    return ERRORS[cause];
  }

  private note(cause: keyof typeof ERRORS): void {
    this.turnedAway++;
    this.shed[cause]++;
    const now = performance.now();
    if (now - this.notedAt < NOTE_EVERY_MS) return;
    this.logger.warn({ turnedAway: this.turnedAway, atWork: this.atWork, cause }, OVERLOADED.summary);
    this.turnedAway = 0;
    this.notedAt = now;
  }
}

const overloaded = (seconds: string): ApiError =>
  new ApiError(OVERLOADED, OVERLOADED.summary, { headers: { 'retry-after': seconds } });

/** Made once: an error is expensive, and nobody reads where these come from. */
const ERRORS = {
  inFlight: overloaded(RETRY_AFTER.inFlight),
  pressure: overloaded(RETRY_AFTER.pressure),
};
