import { ExecutionContext } from '@nestjs/common';
import { FastifyReply, FastifyRequest } from 'fastify';

import { RateLimitConfig } from '../../config/config.js';
import { Count } from './counter.js';
import { CounterStorage } from './counter-storage.js';
import { Limit } from './limit.js';
import { isCount, RouteThrottles, Throttle } from './throttles.js';

/** A limit, and the count of a request under it. */
export interface Counted {
  readonly limit: Limit;
  readonly count: Count;
}

/** Counts requests under the limits that their routes have by `@Throttle()`. */
export class RouteLimits {
  constructor(
    private readonly general: RateLimitConfig,
    private readonly storage: CounterStorage,
    private readonly trackerOf: (request: FastifyRequest) => string,
  ) {}

  /** @throws Error for a function of a limit that gives none, and what the function throws */
  async count(
    { limits, contextOf }: RouteThrottles,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Counted[]> {
    const context = contextOf(request, reply);
    const counted = await Promise.all(limits.map((throttle) => this.countOne(throttle, request, context)));
    return counted.filter((one) => one !== undefined);
  }

  private async countOne(
    throttle: Throttle,
    request: FastifyRequest,
    context: ExecutionContext,
  ): Promise<Counted | undefined> {
    const { name, limit, ttl, blockDuration } = throttle;
    // Without a general limit, `RATE_LIMIT=0`, there is nothing to take from it.
    if (limit === undefined && this.general.limit === 0) return undefined;
    const requests = await resolved(limit ?? this.general.limit, context, `${name}.limit`);
    const windowMs = await resolved(ttl ?? this.general.windowSeconds * 1000, context, `${name}.ttl`);
    const blockMs =
      blockDuration === undefined ? 0 : await resolved(blockDuration, context, `${name}.blockDuration`);
    const key = await this.keyOf(throttle, request, context);
    const options = { name: `throttle:${name}`, limit: requests, windowMs, blockMs };
    const count = await this.storage.hit(key, options);
    return { limit: new Limit(name, requests, windowMs), count };
  }

  /** Of a route and a caller: versions of a path, and HEAD and GET, share a count. */
  private async keyOf(
    { name, getTracker, generateKey }: Throttle,
    request: FastifyRequest,
    context: ExecutionContext,
  ): Promise<string> {
    const tracker = getTracker ? await getTracker(request, context) : this.trackerOf(request);
    if (generateKey) return generateKey(context, tracker, name);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const route = request.policy?.route?.replace(/^\/api\/v\d+\//, '/') ?? '';
    return `${method} ${route} ${tracker}`;
  }
}

async function resolved(
  value: number | ((context: ExecutionContext) => number | Promise<number>),
  context: ExecutionContext,
  option: string,
): Promise<number> {
  const number = typeof value === 'function' ? await value(context) : value;
  if (isCount(number)) return number;
  const where = `${context.getClass().name}.${context.getHandler().name}`;
  throw new Error(`${where}: @Throttle() ${option} takes 1 or more, not ${String(number)}`);
}
