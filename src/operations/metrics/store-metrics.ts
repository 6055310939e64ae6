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
