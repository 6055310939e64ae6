import { SharedPort } from './shared-port.js';
import { WorkerPool } from './worker-pool.js';
import { Deadlines, Stoppable } from '../operations/shutdown.js';

/** After those of workers, and before those of an embedded database. */
export const PRIMARY_DEADLINES: Deadlines = { closedMs: 8_000, stoppedMs: 9_000, exitMs: 9_500 };

/** From the closing of the port: when workers that have not ended are killed. */
const WORKERS_ENDED_MS = 7_900;

/** The primary of a service with workers: it serves nothing itself. */
export class Primary implements Stoppable {
  /** When it began to close the port, in milliseconds of `performance.now()`. */
  private drainedFrom: number | undefined;

  constructor(
    private readonly port: SharedPort,
    private readonly pool: WorkerPool,
  ) {}

  get isServing(): boolean {
    return this.port.isOpen;
  }

  announce(): void {
    this.pool.announceStop();
  }

  /** Closes the port, hands over what it has accepted, and then tells workers that nothing more comes. */
  drain(): Promise<void> {
    this.drainedFrom = performance.now();
    return this.port.close();
  }

  async close(): Promise<void> {
    const now = performance.now();
    const takenMs = now - (this.drainedFrom ?? now);
    const timer = setTimeout(() => {
      this.pool.kill();
    }, WORKERS_ENDED_MS - takenMs);
    await this.pool.stop();
    clearTimeout(timer);
  }
}
