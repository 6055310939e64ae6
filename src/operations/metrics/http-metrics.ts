import { Connections } from '../../http/server/connections.js';
import { RequestMetrics } from '../../http/request-metrics.js';
import { Tally } from '../../telemetry/labelled.js';
import { Overload } from '../overload.js';
import { histogramSamples, MetricDefinition, Sample } from './metrics.js';

const DURATION = 'http_request_duration_seconds';

/** Requests: how many, how long, and what they were refused for. */
export function requestMetrics(requests: RequestMetrics): MetricDefinition[] {
  return [
    {
      name: 'http_requests_total',
      type: 'counter',
      help: 'Requests answered, by method, route and status; 499: the client went first.',
      *read() {
        for (const { method, route, byStatus } of requests.routes()) {
          for (const [status, { count }] of byStatus)
            yield { labels: { method, route, status }, value: count };
        }
      },
    },
    {
      name: DURATION,
      type: 'histogram',
      help: 'Seconds from the first byte of a request to the end of its answer, by method and route.',
      *read() {
        for (const { method, route, seconds } of requests.routes())
          yield* histogramSamples(DURATION, { method, route }, seconds);
      },
    },
    {
      name: 'http_errors_total',
      type: 'counter',
      help: 'Errors sent, by the code in their envelope.',
      read: () => ofTally('code', requests.errors),
    },
    {
      name: 'http_rate_limited_total',
      type: 'counter',
      help: 'Requests refused past a rate limit, by route.',
      read: () => ofTally('route', requests.rateLimited),
    },
    {
      name: 'http_idempotent_replays_total',
      type: 'counter',
      help: 'Answers given again to an Idempotency-Key.',
      read: () => [{ value: requests.replays }],
    },
    {
      name: 'auth_failures_total',
      type: 'counter',
      help: 'Requests refused with 401, by scheme and code; none: no credential was sent, login: at login and refresh.',
      *read() {
        for (const [label, { count }] of requests.authFailures) {
          const [scheme = '', code = ''] = label.split(' ');
          yield { labels: { scheme, code }, value: count };
        }
      },
    },
  ];
}

/** Requests at work, and those that were turned away for want of room. */
export function loadMetrics(connections: Connections, overload: Overload): MetricDefinition[] {
  return [
    {
      name: 'http_requests_in_flight',
      type: 'gauge',
      help: 'Requests that are not answered yet, those whose body is still coming too.',
      read: () => [{ value: connections.requests }],
    },
    {
      name: 'http_requests_at_work',
      type: 'gauge',
      help: 'Requests that count against MAX_IN_FLIGHT.',
      read: () => [{ value: overload.atWork }],
    },
    {
      name: 'http_requests_at_work_max',
      type: 'gauge',
      help: 'MAX_IN_FLIGHT.',
      read: () => [{ value: overload.maxInFlight }],
    },
    {
      name: 'http_connections',
      type: 'gauge',
      help: 'Open connections of clients.',
      read: () => [{ value: connections.sockets.size }],
    },
    {
      name: 'http_requests_shed_total',
      type: 'counter',
      help: 'Requests refused with OVERLOADED: too many at work (in_flight), a blocked event loop or a full heap (pressure), no room for their body (bodies).',
      read: () => [
        { labels: { reason: 'in_flight' }, value: overload.shed.inFlight },
        { labels: { reason: 'pressure' }, value: overload.shed.pressure },
        { labels: { reason: 'bodies' }, value: overload.shed.bodies },
      ],
    },
  ];
}

function* ofTally(label: string, tally: Tally): Generator<Sample> {
  for (const [key, { count }] of tally) yield { labels: { [label]: key }, value: count };
}
