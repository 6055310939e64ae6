import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/** The load past which a process refuses requests. */
export interface PressureLimits {
  /** How long the event loop may be blocked, in milliseconds. */
  readonly eventLoopDelayMs: number;
  /** How much of the heap may be in use, as a share of V8's limit. */
  readonly heapShare: number;
}

/** V8's limit includes the young generation: a small heap (256 MiB) is full at 0.84 of it. */
export const PRESSURE_LIMITS: PressureLimits = { eventLoopDelayMs: 2_000, heapShare: 0.8 };

const SAMPLE_MS = 250;
/** How long a process stays under pressure after its event loop was blocked. */
const CALM_MS = 1_000;

/** Samples whether the process is past its limits. */
export class Pressure {
  private readonly delay = monitorEventLoopDelay();
  private timer: NodeJS.Timeout | undefined;
  private blockedUntil = 0;
  isHigh = false;

  constructor(private readonly limits: PressureLimits) {}

  start(): void {
    this.delay.enable();
    this.timer = setInterval(() => {
      this.sample();
    }, SAMPLE_MS).unref();
  }

  stop(): void {
    this.delay.disable();
    clearInterval(this.timer);
  }

  private sample(): void {
    const now = performance.now();
    if (this.delay.max > this.limits.eventLoopDelayMs * 1e6) this.blockedUntil = now + CALM_MS;
    this.delay.reset();
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    this.isHigh = now < this.blockedUntil || used > limit * this.limits.heapShare;
  }
}
