import cluster, { Worker } from 'node:cluster';

import {
  AggregatorRegistry,
  MetricObject,
  MetricObjectWithValues,
  MetricValue,
  PrometheusContentType,
  Registry,
} from 'prom-client';

import { MetricDefinition, Metrics } from './metrics.js';
import { MetricsSource } from './metrics-server.js';

/** A worker that does not answer in this time is busy: what it said last counts. */
const ANSWER_WITHIN_MS = 1_000;
/** How long after the news of a worker's end its last words may come. */
const LAST_WORDS_MS = 1_000;

type Data = Omit<MetricObjectWithValues<MetricValue<string>>, 'collect'>[];

/** Between the primary and its workers, beside those of `workers/messages.ts`. */
type Message =
  | { readonly kind: 'metrics:ask' }
  | { readonly kind: 'metrics:answer' | 'metrics:last'; readonly data: Data };

const isMessage = (message: unknown): message is Message =>
  String((message as { kind?: unknown } | null)?.kind).startsWith('metrics:');

/**
 * The metrics of all workers as one, in the primary: sums, or what each definition says. Counters go on where a worker
 * ends: what it has counted stays in the sum, so that Prometheus sees no reset.
 */
export class MetricsOfWorkers implements MetricsSource {
  private readonly latest = new Map<number, Data>();
  private readonly waiting = new Map<number, () => void>();
  private readonly asking = new Map<number, Promise<void>>();
  private gone: Data = [];

  /** @param own of the primary */
  constructor(private readonly own: Metrics) {
    cluster.on('message', (worker: Worker, message: unknown) => {
      if (!isMessage(message) || message.kind === 'metrics:ask') return;
      if (!worker.isDead()) this.latest.set(worker.id, message.data);
      else if (this.latest.has(worker.id)) this.latest.set(worker.id, countersOf(message.data));
      this.waiting.get(worker.id)?.();
    });
    cluster.on('exit', ({ id }: Worker) => {
      this.waiting.get(id)?.();
      this.latest.set(id, countersOf(this.latest.get(id) ?? []));
      setTimeout(() => {
        this.gone = summed([this.gone, this.latest.get(id) ?? []]);
        this.latest.delete(id);
      }, LAST_WORDS_MS).unref();
    });
  }

  get contentType(): string {
    return this.own.contentType;
  }

  async text(): Promise<string> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(workers.map((worker) => this.ask(worker)));
    const own = await this.own.data();
    // The first has the say in how a metric is added up.
    return aggregate([own, ...this.latest.values(), this.gone]).metrics();
  }

  /** Scrapes at the same time share an answer. */
  private ask(worker: Worker): Promise<void> {
    const answer =
      this.asking.get(worker.id) ?? this.answerOf(worker).finally(() => this.asking.delete(worker.id));
    this.asking.set(worker.id, answer);
    return answer;
  }

  private answerOf(worker: Worker): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.waiting.delete(worker.id);
        resolve();
      };
      const timer = setTimeout(end, ANSWER_WITHIN_MS);
      this.waiting.set(worker.id, end);
      const ask: Message = { kind: 'metrics:ask' };
      if (worker.isConnected()) worker.process.send(ask, undefined, undefined, () => undefined);
      else end();
    });
  }
}

/**
 * Lets the primary read the metrics of this worker.
 *
 * @returns what tells it the last of them, before the process ends
 */
export function answerPrimary(metrics: Metrics): () => Promise<void> {
  const tell = async (kind: 'metrics:answer' | 'metrics:last'): Promise<void> => {
    const message: Message = { kind, data: await metrics.data() };
    await new Promise<void>((resolve) => {
      if (process.send) process.send(message, undefined, undefined, () => resolve());
      else resolve();
    });
  };
  process.on('message', (message) => {
    if (isMessage(message)) void tell('metrics:answer');
  });
  return () => tell('metrics:last');
}

/** How many workers there are. */
export function workerMetrics(configured: number): MetricDefinition[] {
  return [
    {
      name: 'service_workers',
      type: 'gauge',
      help: 'Workers that run; there only with more than one.',
      read: () => [{ value: Object.keys(cluster.workers ?? {}).length }],
    },
    {
      name: 'service_workers_configured',
      type: 'gauge',
      help: 'WORKERS.',
      read: () => [{ value: configured }],
    },
  ];
}

/** As prom-client adds up what several processes have. */
function summed(all: readonly Data[]): Data {
  const registry = aggregate(all);
  // Each holds its sums as they are, beside the method that gives them.
  return registry.getMetricsAsArray().map((metric) => {
    const { help, name, type, values, aggregator } = metric as unknown as Data[number];
    return { help, name, type, values, aggregator };
  });
}

const countersOf = (data: Data): Data =>
  data.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));

/** Its type asks for an array of metrics; it takes one for each process. */
const aggregate = (all: readonly Data[]): Registry =>
  AggregatorRegistry.aggregate<PrometheusContentType>(all as unknown as MetricObject[]);
