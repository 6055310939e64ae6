import { ConnectionPool } from '../../database/connection-pool.js';
import { Notifications } from '../../database/notifications.js';
import { StatementTimes } from '../../database/statement-times.js';
import { Histogram } from '../../telemetry/histogram.js';
import { histogramSamples, MetricDefinition } from './metrics.js';

const DURATION = 'database_statement_duration_seconds';
const BATCH = 'database_batch_keys';

/** The pool of connections to PostgreSQL. */
export function poolMetrics(pool: ConnectionPool): MetricDefinition[] {
  return [
    {
      name: 'database_connections',
      type: 'gauge',
      help: 'Open connections of the pool, by state: in_use or idle.',
      read: () => [
        { labels: { state: 'in_use' }, value: pool.totalCount - pool.idleCount },
        { labels: { state: 'idle' }, value: pool.idleCount },
      ],
    },
    {
      name: 'database_connections_max',
      type: 'gauge',
      help: 'DATABASE_POOL_SIZE.',
      read: () => [{ value: pool.options.max }],
    },
    {
      name: 'database_connections_waiting',
      type: 'gauge',
      help: 'Statements and transactions that wait for a connection.',
      read: () => [{ value: pool.waitingCount }],
    },
    {
      name: 'database_connections_opened_total',
      type: 'counter',
      help: 'Connections opened.',
      read: () => [{ value: pool.opened }],
    },
    {
      name: 'database_connections_destroyed_total',
      type: 'counter',
      help: 'Connections closed: idle for a minute, lost, or left in a state that nobody should meet.',
      read: () => [{ value: pool.closed }],
    },
  ];
}

/** What is sent to PostgreSQL. */
export function statementMetrics(times: StatementTimes, batches: Histogram): MetricDefinition[] {
  return [
    {
      name: DURATION,
      type: 'histogram',
      help: 'Seconds from sending a statement to its result, by the name of the statement, or its verb and table.',
      *read() {
        for (const [statement, { seconds }] of times.byLabel)
          yield* histogramSamples(DURATION, { statement }, seconds);
      },
    },
    {
      name: 'database_statement_failures_total',
      type: 'counter',
      help: 'Statements that failed; a violated constraint counts.',
      *read() {
        for (const [statement, { failures }] of times.byLabel)
          yield { labels: { statement }, value: failures };
      },
    },
    {
      name: BATCH,
      type: 'histogram',
      help: 'Keys of one look-up: requests that asked for rows at the same time share a statement.',
      read: () => histogramSamples(BATCH, {}, batches),
    },
  ];
}

/** The connection that instances notify each other over. */
export function notificationMetrics(notifications: Notifications): MetricDefinition[] {
  return [
    {
      name: 'database_notifications_connected',
      type: 'gauge',
      help: '1 while notifications of other instances are heard; at 0 nothing is remembered of callers.',
      over: 'min',
      read: () => [{ value: notifications.heardUntil === -Infinity ? 0 : 1 }],
    },
  ];
}
