import { SharedPort } from './shared-port.js';
import { WorkerPool } from './worker-pool.js';
import { Deadlines, Stoppable } from '../operations/shutdown.js';

/** After those of workers, and before those of an embedded database. */
export const PRIMARY_DEADLINES: Deadlines = { closedMs: 8_000, stoppedMs: 9_000, exitMs: 9_500 };

/** When workers that have not ended are killed. */
const WORKERS_ENDED_MS = 7_900;

/** The primary of a service with workers: it serves nothing itself. */
export class Primary implements Stoppable {
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
    return this.port.close();
  }

  async close(): Promise<void> {
    const timer = setTimeout(() => {
      this.pool.kill();
    }, WORKERS_ENDED_MS);
    await this.pool.stop();
    clearTimeout(timer);
  }
}
