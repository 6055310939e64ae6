import { Session } from 'node:inspector/promises';

import { OLD_GENERATION_LIMIT, oldGenerationBytes } from './heap.js';

/** The load at which a process starts to refuse requests. */
export interface PressureLimits {
  /** How late the event loop may run, in milliseconds. */
  readonly eventLoopDelayMs: number;
  /** How much of the heap's old generation may be in use: V8 ends the process when it is full. */
  readonly heapShare: number;
}

export const PRESSURE_LIMITS: PressureLimits = { eventLoopDelayMs: 2_000, heapShare: 0.9 };

const SAMPLE_MS = 250;
/** How long the event loop must have run in time before pressure is over. */
const CALM_MS = 1_000;
/** How often memory is reclaimed ahead of V8. */
const COLLECT_EVERY_MS = 5_000;

/**
 * Whether the process is past what it bears: its event loop was blocked, or its heap is nearly full. Takes samples by a
 * timer, and needs no file descriptor for it.
 */
export class Pressure {
  private timer: NodeJS.Timeout | undefined;
  private dueAt = 0;
  private blockedUntil = 0;
  private collectedAt = -Infinity;
  private isHeapFull = false;
  /** Read with every request. */
  isHigh = false;

  constructor(private readonly limits: PressureLimits) {}

  start(): void {
    this.dueAt = performance.now() + SAMPLE_MS;
    this.timer = setInterval(() => {
      this.sample();
    }, SAMPLE_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    const now = performance.now();
    // Timers run before sockets are read: requests that piled up during a block are turned away.
    if (now - this.dueAt > this.limits.eventLoopDelayMs) this.blockedUntil = now + CALM_MS;
    this.dueAt = now + SAMPLE_MS;
    if (!this.isPastHeap()) this.isHeapFull = false;
    else if (now - this.collectedAt > COLLECT_EVERY_MS) {
      this.collectedAt = now;
      void this.collect();
    }
    this.isHigh = this.isHeapFull || now < this.blockedUntil;
  }

  private isPastHeap(): boolean {
    return oldGenerationBytes() > OLD_GENERATION_LIMIT * this.limits.heapShare;
  }

  /** Only memory that cannot be reclaimed counts. Without requests V8 would leave garbage where it is. */
  private async collect(): Promise<void> {
    const session = new Session();
    session.connect();
    try {
      await session.post('HeapProfiler.collectGarbage');
    } finally {
      session.disconnect();
    }
    this.isHeapFull = this.isPastHeap();
  }
}
