import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

import { Database } from '../database/database.js';
import { Connections } from '../http/server/connections.js';

type Measured = [labels: Readonly<Record<string, string>>, value: number];

/** Adds the metrics of the process, of requests in flight, and of the connection pools of the database. */
export function addAppMetrics(
  registry: Registry,
  connections: Pick<Connections, 'requestCount'>,
  database: Pick<Database, 'pool' | 'replicas'>,
): void {
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, labelNames: string[], measure: () => Measured[]): Gauge =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        for (const [labels, value] of measure()) this.set(labels, value);
      },
    });
  const inFlight = 'Requests that have no response yet.';
  gauge('http_requests_in_flight', inFlight, [], () => [[{}, connections.requestCount]]);
  const pools = [database.pool, ...(database.replicas?.pools ?? [])].map((of, i) => ({
    of,
    pool: i === 0 ? 'primary' : `replica_${i}`,
  }));
  const open = 'Open connections, by pool (primary, replica_1 and so on) and state: in_use or idle.';
  gauge('database_connections', open, ['pool', 'state'], () =>
    pools.flatMap(({ pool, of: { totalCount, idleCount } }): Measured[] => [
      [{ pool, state: 'in_use' }, totalCount - idleCount],
      [{ pool, state: 'idle' }, idleCount],
    ]),
  );
  gauge('database_connections_max', 'DATABASE_POOL_SIZE, by pool.', ['pool'], () =>
    pools.map(({ pool, of }) => [{ pool }, of.options.max]),
  );
  const waiting = 'Statements and transactions that wait for a connection, by pool.';
  gauge('database_connections_waiting', waiting, ['pool'], () =>
    pools.map(({ pool, of }) => [{ pool }, of.waitingCount]),
  );
}
