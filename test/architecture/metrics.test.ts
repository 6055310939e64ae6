import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse } from 'yaml';

import { ConnectionPool } from '../../src/database/connection-pool.js';
import { Notifications } from '../../src/database/notifications.js';
import { Replicas } from '../../src/database/replicas/replicas.js';
import { CounterStorage } from '../../src/http/rate-limit/counter-storage.js';
import { RequestMetrics } from '../../src/http/request-metrics.js';
import { Connections } from '../../src/http/server/connections.js';
import {
  notificationMetrics,
  poolMetrics,
} from '../../src/operations/metrics/database-metrics.js';
import { loadMetrics, requestMetrics } from '../../src/operations/metrics/http-metrics.js';
import { Metrics } from '../../src/operations/metrics/metrics.js';
import { workerMetrics } from '../../src/operations/metrics/metrics-of-workers.js';
import {
  embeddedDatabaseMetrics,
  rateLimitMetrics,
  redisMetrics,
  sessionMetrics,
} from '../../src/operations/metrics/store-metrics.js';
import { Overload } from '../../src/operations/overload.js';
import { RedisConnection } from '../../src/redis/redis-connection.js';
import { hasPromtool, promtool } from '../support/metrics.js';
import { skipping } from '../support/needs.js';

const PAGE = 'docs/metrics.md';
const RULES = 'deploy/prometheus/alerts.yaml';
const RULE_TESTS = 'deploy/prometheus/alerts.test.yaml';
const DASHBOARD = 'deploy/grafana/dashboard.json';

const read = (path: string): string => readFileSync(path, 'utf8');

/** Every metric that an instance of any configuration has, of nothing that happened. */
async function existing(): Promise<Map<string, string>> {
  const load = { atWork: 0, maxInFlight: 1, shed: { inFlight: 0, pressure: 0, bodies: 0 } } as Overload;
  const metrics = new Metrics([
    ...requestMetrics(new RequestMetrics()),
    ...loadMetrics(new Connections(() => undefined), load),
    ...poolMetrics({ pool: new ConnectionPool(), replicas: { states: [] } as unknown as Replicas }),
    ...notificationMetrics(new Notifications('')),
    ...rateLimitMetrics(new CounterStorage()),
    ...sessionMetrics({ read: () => 0 }),
    ...redisMetrics(new RedisConnection('redis://127.0.0.1')),
    ...workerMetrics(2),
    ...embeddedDatabaseMetrics({ isUp: true, restarts: 0 }),
  ]);
  const text = await metrics.text();
  return new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name, type]) => [name ?? '', type ?? '']),
  );
}

/** The metrics that an expression of PromQL names: words before a selector or a range that are no functions. */
const namedIn = (expression: string): string[] =>
  [...expression.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+)(?=\{)/g)].map(([, name]) => name as string);

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly description?: string;
  readonly targets?: readonly { readonly expr: string }[];
}
const dashboard = JSON.parse(read(DASHBOARD)) as { panels: Panel[] };
const rules = (
  parse(read(RULES)) as { groups: { rules: { alert: string; expr: string }[] }[] }
).groups.flatMap((group) => group.rules);

describe('O1 metrics, their page, dashboard and alerts', () => {
  let types: Map<string, string>;
  let series: ReadonlySet<string>;
  beforeAll(async () => {
    types = await existing();
    series = new Set(
      [...types].flatMap(([name, type]) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
      ),
    );
  });

  it('the page has a row for every metric, and for no other', () => {
    const rows = read(PAGE)
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    const described = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`([a-z0-9_]+)`/g)].map(([, name]) => name),
    );
    expect(described.sort()).toEqual([...types.keys()].sort());
  });

  it('the dashboard and the alerts name series that exist, and the dashboard shows every metric but the version', () => {
    const shown = dashboard.panels.flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) => namedIn(expr)),
    );
    const watched = rules.flatMap(({ expr }) => namedIn(expr));
    expect([...shown, ...watched].filter((name) => !series.has(name))).toEqual([]);
    const metricOf = (name: string): string =>
      types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');
    const missing = [...types.keys()].filter((name) => !shown.map(metricOf).includes(name));
    expect(missing).toEqual(['nodejs_version_info']);
  });

  it('a share of requests by status is 0, not "No data", where none had that status', () => {
    const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const shares = queries.filter((query) => / \/ /.test(query) && query.includes('status='));
    expect(shares).toHaveLength(2);
    for (const share of shares) expect(share).toMatch(/^\(.* or vector\(0\)\) \/ /);
  });

  it('panels have ids of their own, and say what they show', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(panels.filter(({ targets, description }) => targets && !description)).toEqual([]);
  });

  it('each alert has a reason, a section that says what to do, and a test', () => {
    const page = read(PAGE);
    const source = read(RULES);
    const tested = (parse(read(RULE_TESTS)) as { tests: { name: string }[] }).tests.map(({ name }) => name);
    const names = rules.map(({ alert }) => alert);
    expect(names.filter((name) => !page.includes(`\n### ${name}\n`))).toEqual([]);
    expect(names.filter((name) => !source.includes(`docs/metrics.md#${name.toLowerCase()}`))).toEqual([]);
    expect(names.filter((name) => !new RegExp(`# .+\\n +- alert: ${name}\\n`).test(source))).toEqual([]);
    expect(tested).toEqual(names);
  });

  (hasPromtool ? it : skipping(it, 'promtool is not installed'))(
    'Prometheus takes them, and the alerts speak when they are to',
    () => {
      expect(promtool(['check', 'config', 'deploy/prometheus/prometheus.yaml']).code).toBe(0);
      const { code, said } = promtool(['test', 'rules', RULE_TESTS]);
      expect({ code, said }).toMatchObject({ code: 0 });
      // Queries of the dashboard, as rules: their syntax.
      const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
      for (const query of new Set(queries)) expect(query).toMatch(/instance=~"\$instance"/);
      const records = [...new Set(queries)].map((query, index) => ({
        record: `query_${index}`,
        expr: query
          .replaceAll('$__rate_interval', '1m')
          .replaceAll('$job', 'api')
          .replaceAll('$instance', '.*'),
      }));
      const folder = mkdtempSync(join(tmpdir(), 'service-queries-'));
      const file = join(folder, 'queries.yaml');
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules: records }] }));
      const checked = promtool(['check', 'rules', file]);
      rmSync(folder, { recursive: true });
      expect(checked).toMatchObject({ code: 0 });
      expect(checked.said).toContain(`${records.length} rules found`);
    },
  );
});
