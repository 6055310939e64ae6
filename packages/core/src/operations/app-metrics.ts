import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

import { Database } from '../database/database.js';
import { Connections } from '../http/server/connections.js';

/** Adds the metrics of the process, of requests in flight and of the database's pools to those of requests. */
export function addAppMetrics(
  registry: Registry,
  connections: Pick<Connections, 'requests'>,
  database: Pick<Database, 'pool' | 'replicas'>,
): void {
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, labelNames: string[], collect: (gauge: Gauge) => void): Gauge =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        collect(this);
      },
    });
  gauge('http_requests_in_flight', 'Requests that are not answered yet.', [], (inFlight) => {
    inFlight.set(connections.requests);
  });
  const pools = [database.pool, ...(database.replicas?.pools ?? [])].map(
    (pool, i) => [i === 0 ? 'primary' : `replica_${i}`, pool] as const,
  );
  gauge(
    'database_connections',
    'Open connections, by pool (primary, replica_1 and so on) and state: in_use or idle.',
    ['pool', 'state'],
    (open) => {
      for (const [pool, { totalCount, idleCount }] of pools) {
        open.set({ pool, state: 'in_use' }, totalCount - idleCount);
        open.set({ pool, state: 'idle' }, idleCount);
      }
    },
  );
  const ofPool = (name: string, help: string, valueOf: (pool: Database['pool']) => number): Gauge =>
    gauge(name, help, ['pool'], (measured) => {
      for (const [name, pool] of pools) measured.set({ pool: name }, valueOf(pool));
    });
  ofPool('database_connections_max', 'DATABASE_POOL_SIZE, by pool.', ({ options }) => options.max);
  const waiting = 'Statements and transactions that wait for a connection, by pool.';
  ofPool('database_connections_waiting', waiting, ({ waitingCount }) => waitingCount);
}
