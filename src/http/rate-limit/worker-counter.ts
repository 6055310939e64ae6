import { Count } from './counter.js';
import { FallbackCounter } from './fallback-counter.js';
import { WindowCounter } from './window-counter.js';
import { WorkerCounts } from './worker-counts.js';

/** One count for all workers of a service, kept by their primary: it outlives the worker that counted. */
export class WorkerCounter extends FallbackCounter {
  /** @param name distinguishes this counter from others */
  constructor(
    private readonly counts: WorkerCounts,
    private readonly name: string,
    windowMs: number,
  ) {
    super(windowMs);
  }

  protected askShared(key: string, isHit: boolean): Promise<Count> {
    return this.counts.count(this.name, this.windowMs, key, isHit ? 1 : 0);
  }
}

/**
 * A count that answers at once, from what this worker knows: its own hits, and those of the others as far as the
 * primary has told of them. It is behind by the hits that are on their way, and hits whose report to the primary fails
 * are lost to the others: this worker alone has counted them.
 */
export class ReportedCounter extends WindowCounter {
  constructor(
    private readonly counts: WorkerCounts,
    private readonly name: string,
    private readonly lengthMs: number,
  ) {
    super(lengthMs);
  }

  override hit(key: string): Count {
    const count = super.hit(key);
    this.counts.count(this.name, this.lengthMs, key, 1).then(
      (ofAll) => {
        this.raise(key, ofAll);
      },
      () => undefined,
    );
    return count;
  }
}
