import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { Scrape } from './metrics.js';

/** Whether Prometheus's own tool is installed (Debian: `apt-get install prometheus`). */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

export const RULES = 'deploy/prometheus/alerts.yaml';
/** The interval of deploy/prometheus/prometheus.yaml. */
const INTERVAL_SECONDS = 15;

/** An alert and the number of its instances that fire: `['RedisUnavailable', 2]`. */
export type Firing = readonly [alert: string, count: number];

interface Expectation {
  readonly scrape: number;
  readonly firing: readonly Firing[];
  /** Alerts that may fire or not. */
  readonly ignored: readonly string[];
}

/**
 * Records the metrics of a run, as Prometheus does, and asks `promtool` which alerts the rules raise on them. A scrape
 * is made more often than Prometheus makes it, but counts as one of its interval, so that a run of minutes takes seconds.
 */
export class Recorder {
  /** The samples by series, one of each scrape. `_` means that there is none. */
  private readonly series = new Map<string, string[]>();
  private readonly expectations: Expectation[] = [];
  count = 0;

  /** @param targets the URLs of metrics, by the label `instance` */
  constructor(
    private readonly targets: Readonly<Record<string, string>>,
    private readonly everyMs: number,
  ) {}

  /** Scrapes all targets the given number of times. */
  async scrape(times: number): Promise<void> {
    for (let i = 0; i < times; i++) {
      const [, ...found] = await Promise.all([
        sleep(this.everyMs),
        ...Object.entries(this.targets).map(([instance, url]) => this.read(instance, url)),
      ]);
      for (const [name, value] of found.flat()) {
        const values = this.series.get(name) ?? Array.from({ length: this.count }, () => '_');
        this.series.set(name, [...values, value]);
      }
      this.count++;
      // As Prometheus does, mark a series that has ended.
      for (const values of this.series.values())
        if (values.length < this.count) values.push(values.at(-1) === '_' ? '_' : 'stale');
    }
  }

  /** Expects exactly these alerts to fire at the last scrape. */
  expect(firing: readonly Firing[], ignored: readonly string[] = []): void {
    this.expectations.push({ scrape: this.count - 1, firing, ignored });
  }

  /** The counters whose value decreased from one scrape to the next. */
  get decreased(): string[] {
    return (
      [...this.series]
        // Those of nodejs_active_ are gauges, in spite of their names.
        .filter(([name]) => /^(?!nodejs_active_)\w+_(total|bucket|count|sum)\{/.test(name))
        .filter(([, values]) => {
          const numbers = values.map(Number).filter((value) => !Number.isNaN(value));
          return numbers.some((value, i) => i > 0 && value < (numbers[i - 1] as number));
        })
        .map(([name, values]) => `${name} ${values.join(' ')}`)
    );
  }

  get names(): string[] {
    return [...this.series.keys()];
  }

  /** All values of the series whose names begin like this. */
  valuesOf(start: string): string[] {
    return [...this.series].flatMap(([name, values]) => (name.startsWith(start) ? values : []));
  }

  /** Lets `promtool` evaluate the rules. @throws Error with its report if other alerts fire than expected */
  async verify(): Promise<void> {
    const used = new RegExp(`^(up|service_|database_|redis_|http_|auth_|process_|nodejs_eventloop_lag_p99)`);
    const folder = mkdtempSync(join(tmpdir(), 'service-alerts-'));
    const file = join(folder, 'recorded.json');
    const test = {
      rule_files: [resolve(RULES)],
      evaluation_interval: `${INTERVAL_SECONDS}s`,
      tests: [
        {
          interval: `${INTERVAL_SECONDS}s`,
          input_series: [...this.series]
            .filter(([name]) => used.test(name))
            .map(([series, values]) => ({ series, values: values.join(' ') })),
          promql_expr_test: this.expectations.map(({ scrape, firing, ignored }) => ({
            expr: `count by (alertname) (ALERTS{alertstate="firing",alertname!~"${ignored.join('|')}"})`,
            eval_time: `${scrape * INTERVAL_SECONDS}s`,
            exp_samples: firing.map(([alert, value]) => ({ labels: `{alertname="${alert}"}`, value })),
          })),
        },
      ],
    };
    writeFileSync(file, JSON.stringify(test));
    try {
      await promisify(execFile)('promtool', ['test', 'rules', file]);
    } catch (error) {
      throw new Error(String((error as { stdout?: string }).stdout), { cause: error });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  private async read(instance: string, url: string): Promise<[series: string, value: string][]> {
    const own = `job="api",instance="${instance}"`;
    try {
      const { samples } = await Scrape.of(url);
      const named = samples.map(({ name, labels, value }): [string, string] => [
        `${name}{${own}${labels && `,${labels}`}}`,
        String(value),
      ]);
      return [[`up{${own}}`, '1'], ...named];
    } catch {
      return [[`up{${own}}`, '0']];
    }
  }
}
