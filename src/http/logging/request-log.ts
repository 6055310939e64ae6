import { METHODS, ServerResponse } from 'node:http';
import { types } from 'node:util';

import { FastifyReply, FastifyRequest } from 'fastify';
import { Logger } from 'pino';

import { IS_FOLLOWING_CHEAP } from '../../telemetry/waits.js';
import { ApiError } from '../errors/api-error.js';
import { Exchange, exchangeOf, sentStatus, within } from '../exchange.js';
import { writeInfo } from './logger.js';

/** Who called, as far as the log may say. */
interface Caller {
  readonly userId: number | null;
  readonly scheme: string;
}

/** Logs the outcome of each request. A line never holds a credential, a cookie, a query or a body. */
export class RequestLog {
  constructor(private readonly logger: Logger) {}

  /**
   * Whether the line is to say what a request waited for: on Node.js 24 and later, where that costs next to nothing,
   * and at the levels debug and trace.
   */
  get isFollowing(): boolean {
    return this.logger.isLevelEnabled('debug') || (IS_FOLLOWING_CHEAP && this.logger.isLevelEnabled('info'));
  }

  /** Writes the line of a request: it was answered, or its client is gone. */
  ended(response: ServerResponse): void {
    if (!this.logger.isLevelEnabled('info')) return;
    const exchange = exchangeOf(response);
    const { reply, requestId } = exchange;
    const ms = rounded(performance.now() - exchange.startedAt);
    within(exchange, () => {
      if (reply) this.answered(reply.request, reply, ms, splitOf(exchange, ms));
      else this.refused(response.statusCode, requestId, response.req.method, ms);
    });
  }

  /** Writes the line of a request that was refused before Fastify saw it: its method is known where it was read. */
  refused(status: number, requestId: string | null, method: string | null = null, ms = 0): void {
    if (!this.logger.isLevelEnabled('info')) return;
    this.write({ method, route: null, status, ms, requestId, caller: null, scheme: null });
  }

  /** Logs the error behind a 5xx with its stack, under the request's id. */
  failure(request: FastifyRequest, error: ApiError): void {
    const cause = types.isNativeError(error.cause) ? error.cause : error;
    const { name, message, stack } = withoutValues(cause);
    const code = (cause as { code?: unknown }).code;
    const report = {
      requestId: request.id,
      route: request.policy?.route ?? null,
      error: { name, message, code, stack },
    };
    if (error.status === 500) this.logger.error(report, error.message);
    else this.logger.warn(report, error.message);
  }

  private answered(request: FastifyRequest, reply: FastifyReply, ms: number, split: string): void {
    const caller = (request as { principal?: Caller | null }).principal;
    this.write({
      method: request.method,
      route: request.policy?.route ?? null,
      status: sentStatus(reply.raw),
      ms,
      split,
      requestId: request.id,
      caller: caller?.userId ?? null,
      scheme: caller?.scheme ?? null,
    });
  }

  private write({ method, route, status, ms, split = '', requestId, caller, scheme }: RequestFields): void {
    const what = `"method":${OF_METHODS.get(method) ?? JSON.stringify(method)},"route":${jsonOf(route)},"status":${status}`;
    // Nothing in an id needs to be escaped: see `requestId`.
    const who = `"requestId":${requestId === null ? null : `"${requestId}"`},"caller":${caller},"scheme":${jsonOf(scheme)}`;
    writeInfo(this.logger, `${what},"ms":${numeral(ms)}${split},${who}`);
  }
}

const OF_METHODS = new Map<string | null, string>(METHODS.map((method) => [method, JSON.stringify(method)]));

const remembered = new Map<string | null, string>();

/** The JSON of what the service declares, made once: a route, a scheme. */
function jsonOf(declared: string | null): string {
  let json = remembered.get(declared);
  if (json === undefined) remembered.set(declared, (json = JSON.stringify(declared)));
  return json;
}

/** The fields of a request's line. */
interface RequestFields {
  readonly method: string | null;
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
  /** Parts of `ms` as members of the line, with a comma before each: see `splitOf`. */
  readonly split?: string;
  readonly requestId: string | null;
  readonly caller: number | null;
  readonly scheme: string | null;
}

/** The milliseconds of a request, split into waiting for its turn, for PostgreSQL, for Redis, and the rest. */
function splitOf({ waits }: Exchange, ms: number): string {
  if (!waits) return '';
  const { queue, database, redis } = waits.ms;
  const own = Math.max(0, ms - queue - database - redis);
  const waited = `,"queueMs":${numeral(queue)},"databaseMs":${numeral(database)},"redisMs":${numeral(redis)}`;
  return `${waited},"ownMs":${numeral(own)}`;
}

/** `.01` to `.99`, without a last zero; nothing for a whole number. */
const HUNDREDTHS = Array.from({ length: 100 }, (_, hundredths) => String(hundredths / 100).slice(1));

/** To a hundredth, as `String(rounded(ms))` has it in half the time. */
function numeral(ms: number): string {
  const hundredths = Math.round(ms * 100);
  const whole = Math.floor(hundredths / 100);
  return `${whole}${HUNDREDTHS[hundredths - whole * 100]}`;
}

/** To a hundredth. */
const rounded = (ms: number): number => Math.round(ms * 100) / 100;

/** SQLSTATE classes of errors that quote values: data exceptions, violated constraints. */
const QUOTES_VALUES = /^2[23]/;

/** An error as it may be logged: PostgreSQL quotes values where they are at fault. */
function withoutValues({ name, message, stack, ...rest }: Error): Pick<Error, 'name' | 'message' | 'stack'> {
  const { code, driverError } = rest as { code?: unknown; driverError?: { code?: unknown } };
  if (!QUOTES_VALUES.test(String(driverError?.code ?? code))) return { name, message, stack };
  const said = message.replace(/"[\s\S]*"/, '"…"');
  return { name, message: said, stack: stack?.replace(message, () => said) };
}
