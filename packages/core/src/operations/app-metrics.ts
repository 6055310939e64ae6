import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Aggregator, collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

import { PRODUCT } from '../config/product.js';
import { Database } from '../database/database.js';
import { NOT_READY_REASONS } from '../database/readiness-fault.js';
import { Connections } from '../http/server/connections.js';
import { RedisConnection } from '../redis/redis-connection.js';
import { Readiness } from './readiness.js';

/** The parts of the service that metrics describe. */
export interface MetricSources {
  readonly connections: Pick<Connections, 'requestCount'>;
  readonly database: Pick<Database, 'pool' | 'replicas'>;
  readonly readiness: Pick<Readiness, 'check' | 'faults' | 'missingMigrations'>;
  readonly redis: Pick<RedisConnection, 'check' | 'outageCount'> | undefined;
}

type Measured = [labels: Readonly<Record<string, string>>, value: number];

interface GaugeOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: string[];
  /** How the values of several workers become one. */
  readonly aggregator?: Aggregator;
  readonly measure: () => Measured[] | Promise<Measured[]>;
}

/**
 * How long a scrape waits for the readiness check. If the check takes longer, the scrape reports the result of the check
 * before, so that the metrics of a process whose database is frozen still arrive.
 */
const CHECK_WITHIN_MS = 500;

/**
 * How prom-client's own metrics of several workers become one, where its mean or sum would hide the worker that has a
 * problem. The limit of file descriptors applies to each process.
 */
const WORST_WORKER: Readonly<Record<string, Aggregator>> = {
  nodejs_eventloop_lag_p99_seconds: 'max',
  process_open_fds: 'max',
  process_max_fds: 'min',
};

/** Adds the metrics of the process and of everything that it depends on. */
export function addAppMetrics(registry: Registry, sources: MetricSources): void {
  collectDefaultMetrics({ register: registry });
  for (const [name, aggregator] of Object.entries(WORST_WORKER)) {
    // File descriptors are counted on Linux only.
    const metric = registry.getSingleMetric(name);
    if (metric) Object.assign(metric, { aggregator });
  }
  const gauges = [
    ...serviceGauges(sources),
    ...databaseGauges(sources.database),
    ...(sources.redis ? redisGauges(sources.redis) : []),
  ];
  for (const { measure, ...options } of gauges) {
    new Gauge({
      labelNames: [],
      ...options,
      registers: [registry],
      async collect() {
        const measured = await measure();
        this.reset();
        for (const [labels, value] of measured) this.set(labels, value);
      },
    });
  }
  if (sources.redis) addRedisCounter(registry, sources.redis);
}

function serviceGauges({ connections, readiness }: MetricSources): GaugeOptions[] {
  const latest = async () => {
    await Promise.race([readiness.check(), sleep(CHECK_WITHIN_MS, undefined, { ref: false })]);
    return readiness.faults;
  };
  return [
    {
      name: 'service_build_info',
      help: 'Always 1. The labels are the version of the application, of @plinth/core, and of Node.js.',
      labelNames: ['version', 'core', 'node'],
      aggregator: 'first',
      measure: () => [[{ version: PRODUCT.version, core: coreVersion(), node: process.version }, 1]],
    },
    {
      name: 'service_ready',
      help: '1 if the process can serve requests. With WORKERS, 0 if one of them cannot.',
      aggregator: 'min',
      measure: async () => [[{}, (await latest()).length === 0 ? 1 : 0]],
    },
    {
      name: 'service_not_ready',
      help: '1 for each reason why the process cannot serve requests, else 0.',
      labelNames: ['reason'],
      aggregator: 'max',
      measure: async () => {
        const reasons = (await latest()).map((fault) => fault.reason);
        return NOT_READY_REASONS.map((reason) => [{ reason }, reasons.includes(reason) ? 1 : 0]);
      },
    },
    {
      name: 'database_migrations_missing',
      help: 'Migrations that were missing when the database last answered.',
      aggregator: 'max',
      measure: async () => {
        await latest();
        return [[{}, readiness.missingMigrations]];
      },
    },
    {
      name: 'http_requests_in_flight',
      help: 'Requests that have no response yet.',
      measure: () => [[{}, connections.requestCount]],
    },
  ];
}

/** The version in the package.json of the base. */
function coreVersion(): string {
  const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

function databaseGauges({ pool: primary, replicas }: MetricSources['database']): GaugeOptions[] {
  const pools = [primary, ...(replicas?.pools ?? [])].map((of, i) => ({
    of,
    pool: i === 0 ? 'primary' : `replica_${i}`,
  }));
  const states = () => (replicas?.states ?? []).map((state, i) => ({ ...state, pool: `replica_${i + 1}` }));
  return [
    {
      name: 'database_connections',
      help: 'Open connections, by pool (primary, replica_1 and so on) and state: in_use or idle.',
      labelNames: ['pool', 'state'],
      measure: () =>
        pools.flatMap(({ pool, of: { totalCount, idleCount } }): Measured[] => [
          [{ pool, state: 'in_use' }, totalCount - idleCount],
          [{ pool, state: 'idle' }, idleCount],
        ]),
    },
    {
      name: 'database_connections_max',
      help: 'DATABASE_POOL_SIZE, by pool.',
      labelNames: ['pool'],
      measure: () => pools.map(({ pool, of }) => [{ pool }, of.options.max]),
    },
    {
      name: 'database_connections_waiting',
      help: 'Statements and transactions that wait for a connection, by pool.',
      labelNames: ['pool'],
      // If a connection is idle, the work in the queue begins in the same turn, such as the queries of this scrape.
      measure: () => pools.map(({ pool, of }) => [{ pool }, Math.max(0, of.waitingCount - of.idleCount)]),
    },
    {
      name: 'database_replica_serves',
      help: '1 if reads may go to the replica, 0 if it is unreachable or too far behind.',
      labelNames: ['pool'],
      aggregator: 'min',
      measure: () => states().map(({ pool, isServing }) => [{ pool }, isServing ? 1 : 0]),
    },
    {
      name: 'database_replica_lag_seconds',
      help: 'How far a replica is behind the primary. Absent if the replica has not answered yet.',
      labelNames: ['pool'],
      aggregator: 'max',
      measure: () =>
        states().flatMap(({ pool, lagMs }): Measured[] =>
          Number.isFinite(lagMs) ? [[{ pool }, lagMs / 1000]] : [],
        ),
    },
  ];
}

const redisGauges = (redis: NonNullable<MetricSources['redis']>): GaugeOptions[] => [
  {
    name: 'redis_up',
    help: '1 if Redis accepts writes. With WORKERS, 0 if one of them cannot write.',
    aggregator: 'min',
    measure: async () => [[{}, (await redis.check()) ? 1 : 0]],
  },
];

function addRedisCounter(registry: Registry, redis: NonNullable<MetricSources['redis']>): void {
  new Counter({
    name: 'redis_outages_total',
    help: 'How often Redis became unavailable.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(redis.outageCount);
    },
  });
}
