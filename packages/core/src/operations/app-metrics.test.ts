import { AggregatorRegistry, Registry } from 'prom-client';

import { ConnectionPool } from '../database/connection-pool.js';
import { ReadinessFault } from '../database/readiness-fault.js';
import { addAppMetrics, MetricSources } from './app-metrics.js';

const UNREACHABLE: ReadinessFault = { reason: 'database_unreachable', text: 'no connection is possible' };

const registryOf = (sources: Partial<MetricSources>): Registry => {
  const registry = new Registry();
  addAppMetrics(registry, {
    connections: { requestCount: 0 },
    database: { pool: new ConnectionPool(), replicas: undefined },
    readiness: { check: () => Promise.resolve([]), faults: [], missingMigrations: 0 },
    redis: undefined,
    ...sources,
  });
  return registry;
};
const metricsOf = (sources: Partial<MetricSources>): Promise<string> => registryOf(sources).metrics();

describe('the metrics of a process', () => {
  it('arrive while the readiness check hangs, with the result of the check before', async () => {
    const check = (): Promise<never> => new Promise(() => undefined);
    const text = await metricsOf({ readiness: { check, faults: [UNREACHABLE], missingMigrations: 0 } });
    expect(text).toContain('service_ready 0\n');
    expect(text).toContain('service_not_ready{reason="database_unreachable"} 1\n');
    expect(text).toContain('service_not_ready{reason="migrations"} 0\n');
  });

  it('have no series of Redis without Redis, which would look like an outage', async () => {
    expect(await metricsOf({})).not.toContain('redis_');
    const redis = { check: () => Promise.resolve(false), outageCount: 3 };
    const text = await metricsOf({ redis });
    expect([text.includes('redis_up 0\n'), text.includes('redis_outages_total 3\n')]).toEqual([true, true]);
  });

  it('have no lag of a replica that has not answered yet', async () => {
    const pools = [new ConnectionPool(), new ConnectionPool()];
    const states = [
      { isServing: true, lagMs: 40 },
      { isServing: false, lagMs: Infinity },
    ];
    const replicas = { pools, states } as unknown as NonNullable<MetricSources['database']['replicas']>;
    const text = await metricsOf({ database: { pool: new ConnectionPool(), replicas } });
    expect(text.match(/^database_replica_\w+\{.*$/gm)).toEqual([
      'database_replica_serves{pool="replica_1"} 1',
      'database_replica_serves{pool="replica_2"} 0',
      'database_replica_lag_seconds{pool="replica_1"} 0.04',
    ]);
  });
});

describe('the metrics of four workers', () => {
  it.each([
    ['process_open_fds', [30, 1_000, 40, 50], 1_000],
    ['process_max_fds', [1_024, 1_024, 1_024, 1_024], 1_024],
    ['nodejs_eventloop_lag_p99_seconds', [0.01, 0.01, 2, 0.01], 2],
  ])('have the value of the worker that has a problem: %s', async (name, values, expected) => {
    const workers = values.map(async (value) => {
      const metrics = await registryOf({}).getMetricsAsJSON();
      const measured = { values: [{ value, labels: {} }] };
      return metrics.map((metric) => (metric.name === name ? { ...metric, ...measured } : metric));
    });
    const text = await AggregatorRegistry.aggregate(await Promise.all(workers)).metrics();
    expect(text).toContain(`\n${name} ${expected}\n`);
  });
});
