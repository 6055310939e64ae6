import { ConnectionPool } from '../../database/connection-pool.js';
import { Database } from '../../database/database.js';
import { Notifications } from '../../database/notifications.js';
import { Replicas } from '../../database/replicas/replicas.js';
import { MetricDefinition, Sample } from './metrics.js';


/** The connections to PostgreSQL: to the primary, and to each read replica. */
export function poolMetrics({ pool, replicas }: Pick<Database, 'pool' | 'replicas'>): MetricDefinition[] {
  const pools: readonly [pool: string, ConnectionPool][] = [
    ['primary', pool],
    ...(replicas?.states ?? []).map(({ pool }, i): [string, ConnectionPool] => [`replica_${i + 1}`, pool]),
  ];
  const ofEach = (read: (pool: ConnectionPool) => number) => (): Sample[] =>
    pools.map(([pool, of]) => ({ labels: { pool }, value: read(of) }));
  return [
    {
      name: 'database_connections',
      type: 'gauge',
      help: 'Open connections, by pool (primary, replica_1 and so on) and state: in_use or idle.',
      read: () =>
        pools.flatMap(([pool, { totalCount, idleCount }]) => [
          { labels: { pool, state: 'in_use' }, value: totalCount - idleCount },
          { labels: { pool, state: 'idle' }, value: idleCount },
        ]),
    },
    {
      name: 'database_connections_max',
      type: 'gauge',
      help: 'DATABASE_POOL_SIZE, by pool.',
      read: ofEach(({ options }) => options.max),
    },
    {
      name: 'database_connections_waiting',
      type: 'gauge',
      help: 'Statements and transactions that wait for a connection, by pool.',
      read: ofEach(({ waitingCount }) => waitingCount),
    },
    ...(replicas ? [replicaMetric(replicas)] : []),
  ];
}

const replicaMetric = (replicas: Replicas): MetricDefinition => ({
  name: 'database_replica_usable',
  type: 'gauge',
  help: '1 while a replica is read from; at 0 it is down or further behind than REPLICA_LAG_SECONDS.',
  over: 'min',
  read: () =>
    replicas.states.map(({ isUsable }, i) => ({
      labels: { pool: `replica_${i + 1}` },
      value: isUsable ? 1 : 0,
    })),
});

/** The connection that instances notify each other over. */
export function notificationMetrics(notifications: Notifications): MetricDefinition[] {
  return [
    {
      name: 'database_notifications_connected',
      type: 'gauge',
      help: '1 while notifications of other instances are heard; at 0 callers are remembered for a second.',
      over: 'min',
      read: () => [{ value: notifications.heardUntil === -Infinity ? 0 : 1 }],
    },
  ];
}
