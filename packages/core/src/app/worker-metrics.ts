import { Worker } from 'node:cluster';
import { EventEmitter, once } from 'node:events';

import { Logger } from 'pino';
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';

import { Program } from './program.js';

/** How long a scrape waits for a worker. Longer than its gauges wait for a database that does not answer. */
const ANSWER_WITHIN_MS = 2_000;
/** An application may send messages of its own. */
const MESSAGE = '@plinth/core:metrics';

/** The metrics of one process at one moment. */
type Snapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** The primary sends `{ type }`, and a worker responds with its metrics. A worker also sends them when it starts and ends. */
interface Message {
  readonly type: typeof MESSAGE;
  readonly metrics?: Snapshot;
}

const isMessage = (message: unknown): message is Message =>
  (message as Partial<Message> | null)?.type === MESSAGE;

/** Lets the primary read the metrics of this worker. Call it when the worker begins to serve. */
export function sendMetricsToPrimary({ shutdown }: Program, registry: Registry): void {
  const send = async (): Promise<void> => {
    const metrics = await registry.getMetricsAsJSON();
    // The primary may have ended. `process.send()` would then emit an error without a callback.
    await new Promise((sent) => process.send?.({ type: MESSAGE, metrics } satisfies Message, sent));
  };
  process.on('message', (message) => {
    if (isMessage(message)) void send();
  });
  void send();
  shutdown.defer('sending the last metrics', 1_000, send);
}

/**
 * The metrics of all workers, as if they were one process. Counts never decrease, because Prometheus would take a sum
 * that falls for a restart, and count what is left as new: the counts of workers that have ended stay in the sum, and
 * so do the last counts of a worker that does not answer. Gauges are those of the workers that answer.
 */
export class WorkerMetrics {
  private readonly registry = new Registry();
  private readonly workers = new Gauge({
    name: 'service_workers',
    help: 'Workers, by state: configured (WORKERS), or answering, those whose metrics arrived in time.',
    labelNames: ['state'],
    registers: [this.registry],
  });
  private readonly failures = new Counter({
    name: 'service_worker_failures_total',
    help: 'Workers that ended with an exit code other than 0, or by a signal.',
    registers: [this.registry],
  });
  /** prom-client leaves out the start of workers. The start of this process says how long the instance has run. */
  private readonly start = new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start time of the process since unix epoch in seconds.',
    registers: [this.registry],
    aggregator: 'first',
  });
  private readonly serving = new Set<Worker>();
  /** The last metrics of each worker, by its id. */
  private readonly latest = new Map<number, Snapshot>();
  /** The counts of all workers that have ended. */
  private ended: Snapshot = [];
  private adding: Promise<void> = Promise.resolve();
  /** Emits the id of a worker when its metrics arrive. */
  private readonly arrivals = new EventEmitter();

  /** The workers that did not answer the last scrape. */
  private silent: ReadonlySet<Worker> = new Set();

  /** @param configured `WORKERS` */
  constructor(
    private readonly configured: number,
    private readonly logger: Logger,
  ) {
    this.start.set(Math.round(Date.now() / 1000 - process.uptime()));
  }

  /** Includes a worker, from its first message on. */
  watch(worker: Worker): void {
    worker.on('message', (message: unknown) => {
      if (!isMessage(message) || !message.metrics) return;
      if (!worker.isDead()) this.serving.add(worker);
      this.latest.set(worker.id, message.metrics);
      this.arrivals.emit(String(worker.id));
    });
    worker.once('exit', (code: number) => {
      this.serving.delete(worker);
      if (code !== 0) this.failures.inc();
      const add = (): void => {
        this.adding = this.adding.then(() => this.addEnded(worker.id));
      };
      // Its last metrics may arrive after its exit, but not after its channel is closed.
      if (worker.isConnected()) worker.once('disconnect', add);
      else add();
    });
  }

  /** Returns the metrics in the text format of Prometheus. */
  async read(): Promise<string> {
    const answered = await Promise.all([...this.serving].map((worker) => this.ask(worker)));
    const answering = new Set(answered.flatMap((id) => id ?? []));
    this.logSilent(answering);
    this.workers.set({ state: 'configured' }, this.configured);
    this.workers.set({ state: 'answering' }, answering.size);
    const own = await this.registry.getMetricsAsJSON();
    const ofWorkers = [...this.latest].map(([id, metrics]) =>
      answering.has(id) ? metrics : countsOf(metrics),
    );
    // If several processes have a metric, the first decides how its values become one.
    return AggregatorRegistry.aggregate([own, ...ofWorkers, this.ended]).metrics();
  }

  /** @returns the id of the worker, or `undefined` if it does not answer in time */
  private async ask(worker: Worker): Promise<number | undefined> {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const arrival = once(this.arrivals, String(worker.id), { signal });
    // A worker that is just ending has no channel. Without a callback, `send()` would throw.
    worker.send({ type: MESSAGE } satisfies Message, () => undefined);
    return arrival.then(
      () => worker.id,
      () => undefined,
    );
  }

  /** Logs once that a worker does not answer, with its process id, because its own log lines say nothing then. */
  private logSilent(answering: ReadonlySet<number>): void {
    const silent = new Set([...this.serving].filter(({ id }) => !answering.has(id)));
    for (const worker of silent)
      if (!this.silent.has(worker)) this.logger.warn({ pid: worker.process.pid }, 'a worker does not answer');
    for (const worker of this.silent)
      if (!silent.has(worker) && !worker.isDead())
        this.logger.info({ pid: worker.process.pid }, 'a worker answers again');
    this.silent = silent;
  }

  private async addEnded(id: number): Promise<void> {
    const counts = countsOf(this.latest.get(id) ?? []);
    this.ended = await AggregatorRegistry.aggregate([this.ended, counts]).getMetricsAsJSON();
    // In the same turn, so that no scrape misses these counts or finds them twice.
    this.latest.delete(id);
  }
}

/** Removes gauges, which describe only the moment at which they were read. */
const countsOf = (metrics: Snapshot): Snapshot => metrics.filter(({ type }) => String(type) !== 'gauge');
