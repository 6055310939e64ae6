import { ServerResponse } from 'node:http';

import { FastifyRequest } from 'fastify';

import { Histogram, SECONDS } from '../telemetry/histogram.js';
import { OTHER, Tally } from '../telemetry/labelled.js';
import { ErrorType } from './errors/catalogue.js';
import { RATE_LIMIT_EXCEEDED } from './errors/http.errors.js';
import { exchangeOf, sentStatus } from './exchange.js';
import { RoutePolicy } from './route-policy.js';

/** The route of a request that none takes, or that could not be read. */
export const UNMATCHED = 'unmatched';

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The numbers of the requests of one method to one route. */
export interface RouteNumbers {
  readonly method: string;
  readonly route: string;
  readonly byStatus: Map<number, { count: number }>;
  readonly seconds: Histogram;
}

/**
 * Counts requests and what became of them, as plain numbers that are read when metrics are collected. Clients choose
 * no label: a route is the pattern that it was declared by, a method one of those that are served.
 */
export class RequestMetrics {
  /** Errors sent, by code. */
  readonly errors = new Tally();
  /** Requests past a rate limit, by route. */
  readonly rateLimited = new Tally();
  /** 401s, by `scheme code`. */
  readonly authFailures = new Tally();
  /** Answers that were given again by their `Idempotency-Key`. */
  replays = 0;
  /** The scheme whose credential an error refuses. */
  schemeOf: (type: ErrorType, request: FastifyRequest | undefined) => string = () => OTHER;
  private readonly ofPolicies = new Map<RoutePolicy | undefined, Map<string, RouteNumbers>>();

  /** A response was sent, or its client is gone. */
  ended(response: ServerResponse): void {
    const { reply, startedAt } = exchangeOf(response);
    const { method = '' } = response.req;
    this.count(method, reply?.request.policy, sentStatus(response), (performance.now() - startedAt) / 1000);
    if (method === 'POST' && reply?.hasHeader('idempotency-replayed')) this.replays++;
  }

  /** A request was refused that could not be read. */
  refused(status: number): void {
    this.count('', undefined, status, 0);
  }

  /** An error was sent. */
  failed(type: ErrorType, request?: FastifyRequest): void {
    this.errors.increment(type.code);
    if (type === RATE_LIMIT_EXCEEDED) this.rateLimited.increment(request?.policy?.route ?? UNMATCHED);
    if (type.status === 401) this.authFailures.increment(`${this.schemeOf(type, request)} ${type.code}`);
  }

  *routes(): Generator<RouteNumbers> {
    for (const byMethod of this.ofPolicies.values()) yield* byMethod.values();
  }

  private count(method: string, policy: RoutePolicy | undefined, status: number, seconds: number): void {
    const numbers = this.ofPolicies.get(policy)?.get(method) ?? this.numbersOf(method, policy);
    const counted = numbers.byStatus.get(status);
    if (counted) counted.count++;
    else numbers.byStatus.set(status, { count: 1 });
    numbers.seconds.observe(seconds);
  }

  private numbersOf(sent: string, policy: RoutePolicy | undefined): RouteNumbers {
    const method = METHODS.has(sent) ? sent : OTHER;
    let byMethod = this.ofPolicies.get(policy);
    if (!byMethod) this.ofPolicies.set(policy, (byMethod = new Map<string, RouteNumbers>()));
    let numbers = byMethod.get(method);
    if (!numbers) {
      const route = policy?.route ?? UNMATCHED;
      numbers = { method, route, byStatus: new Map(), seconds: new Histogram(SECONDS) };
      byMethod.set(method, numbers);
    }
    return numbers;
  }
}
