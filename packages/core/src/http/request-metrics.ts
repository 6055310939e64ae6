import { ServerResponse } from 'node:http';

import { FastifyRequest } from 'fastify';
import { Counter, Histogram, Registry } from 'prom-client';

import { ErrorType } from './errors/define-errors.js';
import { HttpErrors } from './errors/http.errors.js';
import { isHealthCheck } from './health-check.js';
import { outcomeStatus } from './request-timing.js';

const UNMATCHED_ROUTE = 'unmatched';
const OTHER_METHOD = 'other';

const SERVED_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/** The upper bounds of the buckets, in seconds. */
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Counts requests and measures their duration. Health checks do not count, because balancers send more of them than
 * clients send requests. Clients cannot create new values of labels, because the route is a pattern, and an unknown
 * method is counted as `other`.
 */
export class RequestMetrics {
  readonly registry = new Registry();

  private readonly requests = this.counter(
    'http_requests_total',
    'Requests by method, route and status. 499 means that the client disconnected before the response.',
    ['method', 'route', 'status'],
  );
  private readonly seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Seconds from the arrival of the headers to the end of the response, by method and route.',
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS,
    registers: [this.registry],
  });
  private readonly errors = this.counter('http_errors_total', 'Errors sent, by the code in their envelope.', [
    'code',
  ]);
  private readonly rateLimited = this.counter(
    'http_rate_limited_total',
    'Requests rejected with 429, by route.',
    ['route'],
  );
  private readonly authFailures = this.counter(
    'auth_failures_total',
    'Requests rejected with 401, by route and code.',
    ['route', 'code'],
  );

  /** Counts a request whose response has ended. */
  countCompleted(response: ServerResponse): void {
    const { reply, startedAt = performance.now() } = response.timing ?? {};
    const sent = response.req.method ?? '';
    const route = routeLabel(reply?.request);
    // While the process waits for its database, a request has no route.
    if (isHealthCheck(reply ? route : (response.req.url ?? ''))) return;
    const labels = { method: SERVED_METHODS.has(sent) ? sent : OTHER_METHOD, route };
    this.requests.inc({ ...labels, status: outcomeStatus(response) });
    this.seconds.observe(labels, (performance.now() - startedAt) / 1000);
  }

  /** Counts a request that the HTTP parser rejected. */
  countRejected(status: number): void {
    this.requests.inc({ method: OTHER_METHOD, route: UNMATCHED_ROUTE, status });
  }

  /**
   * Starts the count of each error at 0. Prometheus computes rates from differences, so it would miss the first errors
   * of a code whose series begins with them.
   */
  expectErrors(types: readonly ErrorType[]): void {
    for (const { code } of types) this.errors.inc({ code }, 0);
  }

  countError({ code, status }: ErrorType, request?: FastifyRequest): void {
    const route = routeLabel(request);
    if (isHealthCheck(route)) return;
    this.errors.inc({ code });
    if (code === HttpErrors.RATE_LIMIT_EXCEEDED.code) this.rateLimited.inc({ route });
    if (status === 401) this.authFailures.inc({ route, code });
  }

  private counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}

const routeLabel = (request: FastifyRequest | undefined): string => request?.policy?.route ?? UNMATCHED_ROUTE;
