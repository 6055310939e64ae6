import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

import { ConnectionPool } from '../../packages/core/src/database/connection-pool.js';
import { createLogger } from '../../packages/core/src/http/logging/logger.js';
import { RequestMetrics } from '../../packages/core/src/http/request-metrics.js';
import { WorkerMetrics } from '../../packages/core/src/app/worker-metrics.js';
import { addAppMetrics } from '../../packages/core/src/operations/app-metrics.js';
import { addJobMetrics } from '../../packages/core/src/operations/job-metrics.js';

const PAGE = 'packages/core/docs/metrics.md';
const RUNBOOK = 'packages/core/docs/alerts.md';
const RULES = 'deploy/prometheus/alerts.yaml';
const RULE_TESTS = 'deploy/prometheus/alerts.test.yaml';
const DASHBOARD = 'deploy/grafana/dashboard.json';

const read = (path: string): string => readFileSync(path, 'utf8');

/** All metrics, including those of prom-client (`nodejs_`, `process_`), which the page leaves out. */
async function existing(): Promise<{ name: string; type: string }[]> {
  const { registry } = new RequestMetrics();
  addAppMetrics(registry, {
    connections: { requestCount: 0 },
    database: { pool: new ConnectionPool(), replicas: undefined },
    readiness: { check: () => Promise.resolve([]), faults: [], missingMigrations: 0 },
    redis: { check: () => Promise.resolve(true), outageCount: 0 },
  });
  addJobMetrics(registry, { query: () => Promise.resolve([]) }, { onOutcome: () => undefined }, []);
  const logger = createLogger('fatal', { write: () => undefined });
  const text = (await registry.metrics()) + (await new WorkerMetrics(2, logger).read());
  return [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name = '', type = '']) => ({ name, type }));
}

/** The metrics that a PromQL expression names: words before a selector that are not functions. */
const namedIn = (expression: string): string[] =>
  [...expression.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+)(?=\{)/g)].map(([, name]) => name as string);

interface Panel {
  readonly targets?: readonly { readonly expr: string }[];
}
const { panels } = JSON.parse(read(DASHBOARD)) as { panels: Panel[] };
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const rules = (
  parse(read(RULES)) as { groups: { rules: { alert: string; expr: string }[] }[] }
).groups.flatMap((group) => group.rules);

describe('the documentation of metrics', () => {
  it('has a row for every metric of the service, and none for a metric that does not exist', async () => {
    const names = (await existing()).map(({ name }) => name);
    const rows = read(PAGE)
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    const described = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`([a-z0-9_]+)`/g)].map(([, name]) => name as string),
    );
    expect(described.filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => !/^(nodejs|process)_/.test(name) && !described.includes(name))).toEqual([]);
  });

  it('matches the dashboard and the alerts, which name only series that exist', async () => {
    const series = (await existing()).flatMap(({ name, type }) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
    );
    const named = [...queries, ...rules.map(({ expr }) => expr)].flatMap(namedIn);
    expect(named.filter((name) => !series.includes(name))).toEqual([]);
  });

  it('has a panel of the dashboard for each metric', async () => {
    const names = (await existing()).map(({ name }) => name);
    const shown = queries.join(' ');
    expect(names.filter((name) => !/^(nodejs|process)_/.test(name) && !shown.includes(name))).toEqual([]);
  });

  it('has a section for each alert, and each alert has a test', () => {
    const page = read(RUNBOOK);
    const source = read(RULES);
    const tested = (parse(read(RULE_TESTS)) as { tests: { name: string }[] }).tests.map(({ name }) => name);
    const names = rules.map(({ alert }) => alert);
    expect(names.filter((name) => !page.includes(`\n### ${name}\n`))).toEqual([]);
    expect(
      names.filter(
        (name) => !source.includes(`node_modules/@plinth/core/docs/alerts.md#${name.toLowerCase()}`),
      ),
    ).toEqual([]);
    expect([...new Set(tested)]).toEqual(names);
    for (const section of page.split(/^### /m).slice(1)) {
      const parts = [...section.matchAll(/^- \*\*(.+?):\*\*/gm)].map(([, part]) => part);
      expect([section.split('\n', 1)[0], parts]).toEqual([expect.any(String), ['Means', 'Look at', 'Do']]);
    }
  });
});
