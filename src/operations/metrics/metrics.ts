import {
  collectDefaultMetrics,
  Metric,
  MetricObject,
  MetricObjectWithValues,
  MetricValue,
  Registry,
} from 'prom-client';

import { Histogram } from '../../telemetry/histogram.js';

type Labels = Readonly<Record<string, string | number>>;

/** One number of a metric. */
export interface Sample {
  readonly value: number;
  readonly labels?: Labels;
  /** Where it differs from the name of the metric, as for the parts of a histogram. */
  readonly metricName?: string;
}

/** A metric that is read when it is asked for: until then it is a plain number that somebody counts. */
export interface MetricDefinition {
  /** By the conventions of Prometheus: with its base unit, counters with `_total`. */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** How the numbers of several processes become one. */
  readonly over?: 'sum' | 'max' | 'min';
  readonly read: () => Iterable<Sample>;
}

/** Metrics of prom-client that nobody here looks at, or that say the same twice. */
const LEFT_OUT = [
  'nodejs_active_resources',
  'nodejs_active_resources_total',
  'nodejs_active_handles',
  'nodejs_active_handles_total',
  'nodejs_active_requests',
  'nodejs_active_requests_total',
  'nodejs_eventloop_lag_min_seconds',
  'nodejs_eventloop_lag_mean_seconds',
  'nodejs_eventloop_lag_stddev_seconds',
  'nodejs_eventloop_lag_p90_seconds',
  'nodejs_heap_space_size_total_bytes',
  'nodejs_heap_space_size_used_bytes',
  'nodejs_heap_space_size_available_bytes',
  'process_virtual_memory_bytes',
  'process_heap_bytes',
];

const START = 'process_start_time_seconds';

const WORST = [
  'nodejs_eventloop_lag_seconds',
  'nodejs_eventloop_lag_p50_seconds',
  'nodejs_eventloop_lag_p99_seconds',
  'nodejs_eventloop_lag_max_seconds',
];

/** The metrics of this process. */
export class Metrics {
  private readonly registry = new Registry();

  /**
   * @param isServing `false`: a process that only watches others; of its own metrics only the time of its start is kept
   */
  constructor(definitions: readonly MetricDefinition[], isServing = true) {
    collectDefaultMetrics({ register: this.registry });
    if (!isServing) this.keepStart();
    for (const name of LEFT_OUT) this.registry.removeSingleMetric(name);
    // Over workers the latest one counts, not their mean.
    for (const name of WORST) Object.assign(this.registry.getSingleMetric(name) ?? {}, { aggregator: 'max' });
    this.add(definitions);
  }

  add(definitions: readonly MetricDefinition[]): void {
    for (const definition of definitions) this.registry.registerMetric(collected(definition));
  }

  private keepStart(): void {
    const start = this.registry.getSingleMetric(START);
    this.registry.clear();
    // Left out of sums by prom-client: the start of the service is that of its primary.
    if (start) this.registry.registerMetric(Object.assign(start, { aggregator: 'first' }));
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** All metrics in Prometheus' text format. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** All metrics as data, for another process that adds them to its own. */
  data(): Promise<MetricObjectWithValues<MetricValue<string>>[]> {
    return this.registry.getMetricsAsJSON();
  }
}

/** The samples of a histogram, cumulated as Prometheus has them. */
export function* histogramSamples(name: string, labels: Labels, histogram: Histogram): Generator<Sample> {
  let count = 0;
  for (const [index, counted] of histogram.counts.entries()) {
    count += counted;
    const le = histogram.bounds[index] ?? '+Inf';
    yield { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
  }
  yield { metricName: `${name}_sum`, labels, value: histogram.sum };
  yield { metricName: `${name}_count`, labels, value: count };
}

/**
 * As prom-client wants it: its registry uses no more of a metric than `get()`, and its own classes count by label
 * objects.
 */
function collected({ name, type, help, over = 'sum', read }: MetricDefinition): Metric {
  const described = { name, type: type as unknown as MetricObject['type'], help, aggregator: over };
  const get = (): Promise<object> => {
    const values = Array.from(read(), (sample) => ({ labels: {}, ...sample }));
    return Promise.resolve({ ...described, values });
  };
  return { name, get } as unknown as Metric;
}
