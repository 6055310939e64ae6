import { CounterStorage } from '../../http/rate-limit/counter-storage.js';
import { RedisConnection } from '../../redis/redis-connection.js';
import { histogramSamples, MetricDefinition } from './metrics.js';

const DURATION = 'redis_call_duration_seconds';

/** Redis: the store of shared rate limits and, with `SESSION_STORE=redis`, of sessions. */
export function redisMetrics(redis: RedisConnection): MetricDefinition[] {
  return [
    {
      name: 'redis_connected',
      type: 'gauge',
      help: '1 while Redis can be asked; at 0 each instance counts requests for itself, and sessions in Redis are 503.',
      over: 'min',
      read: () => [{ value: redis.isReady ? 1 : 0 }],
    },
    {
      name: DURATION,
      type: 'histogram',
      help: 'Seconds that a call to Redis took, by what it is for.',
      *read() {
        for (const [call, { seconds }] of redis.calls) yield* histogramSamples(DURATION, { call }, seconds);
      },
    },
    {
      name: 'redis_call_failures_total',
      type: 'counter',
      help: 'Calls to Redis that failed or took too long.',
      *read() {
        for (const [call, { failures }] of redis.calls) yield { labels: { call }, value: failures };
      },
    },
  ];
}

/** The keys of rate limits in memory: of a process that serves, or of the primary, which counts for its workers. */
export function countedKeysMetrics(size: () => number): MetricDefinition[] {
  return [
    {
      name: 'rate_limit_keys',
      type: 'gauge',
      help: 'Callers and addresses that requests are counted by in memory; those in Redis are not among them.',
      read: () => [{ value: size() }],
    },
  ];
}

/** Where the counts of rate limits are kept. */
export function rateLimitMetrics(counts: Pick<CounterStorage, 'size' | 'fallbacks'>): MetricDefinition[] {
  return [
    ...countedKeysMetrics(() => counts.size),
    {
      name: 'rate_limit_fallbacks_total',
      type: 'counter',
      help: 'Requests and failed logins that a process counted for itself, because Redis or the primary did not answer.',
      read: () => [{ value: counts.fallbacks }],
    },
  ];
}

/** The number of open sessions; `undefined` while it is unknown. */
export interface OpenSessions {
  read(): number | undefined;
}

export function sessionMetrics(sessions: OpenSessions): MetricDefinition[] {
  return [
    {
      name: 'auth_sessions',
      type: 'gauge',
      help: 'Sessions (logins) that have not ended, in the whole service, whatever SESSION_STORE keeps them in.',
      over: 'max',
      *read() {
        const value = sessions.read();
        if (value !== undefined) yield { value };
      },
    },
  ];
}

/** The embedded database, as far as its supervisor knows. */
export interface SupervisedDatabase {
  readonly isUp: boolean;
  readonly restarts: number;
}

export function embeddedDatabaseMetrics(database: SupervisedDatabase): MetricDefinition[] {
  return [
    {
      name: 'embedded_database_up',
      type: 'gauge',
      help: '1 while the embedded PostgreSQL runs.',
      over: 'min',
      read: () => [{ value: database.isUp ? 1 : 0 }],
    },
    {
      name: 'embedded_database_restarts_total',
      type: 'counter',
      help: 'Times that the embedded PostgreSQL ended by itself and was started again.',
      read: () => [{ value: database.restarts }],
    },
  ];
}
