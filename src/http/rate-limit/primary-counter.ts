import { PrimaryLink } from '../../workers/primary-link.js';
import { Count, Counter } from './counter.js';
import { WindowCounter } from './window-counter.js';

/** The pause after the primary has failed to answer, so that requests do not wait for it one after the other. */
const PAUSE_MS = 1_000;

/**
 * One count for all workers of a service, kept by their primary: it outlives the worker that counted. While the primary
 * does not answer, each worker counts for itself.
 */
export class PrimaryCounter implements Counter {
  fallbacks = 0;
  private readonly own: WindowCounter;
  private pausedUntil = 0;

  /** @param name distinguishes this counter from others */
  constructor(
    private readonly link: PrimaryLink,
    private readonly name: string,
    private readonly windowMs: number,
  ) {
    this.own = new WindowCounter(windowMs);
  }

  hit(key: string): Count | Promise<Count> {
    return this.ask(key, true);
  }

  peek(key: string): Count | Promise<Count> {
    return this.ask(key, false);
  }

  get size(): number {
    return this.own.size;
  }

  private ask(key: string, isHit: boolean): Count | Promise<Count> {
    const byOwn = (): Count => {
      if (!isHit) return this.own.peek(key);
      this.fallbacks++;
      return this.own.hit(key);
    };
    if (performance.now() < this.pausedUntil) return byOwn();
    return this.link.count(this.name, this.windowMs, key, isHit ? 1 : 0).catch(() => {
      this.pausedUntil = performance.now() + PAUSE_MS;
      return byOwn();
    });
  }
}

/**
 * A count that answers at once, from what this worker knows: its own hits, and those of the others as far as the
 * primary has told of them. It is behind by the hits that are on their way.
 */
export class ReportedCounter extends WindowCounter {
  constructor(
    private readonly link: PrimaryLink,
    private readonly name: string,
    private readonly lengthMs: number,
  ) {
    super(lengthMs);
  }

  override hit(key: string): Count {
    const count = super.hit(key);
    this.link.count(this.name, this.lengthMs, key, 1).then(
      (ofAll) => {
        this.raise(key, ofAll);
      },
      () => undefined,
    );
    return count;
  }
}
