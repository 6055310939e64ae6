import { PrimaryLink } from './primary-link.js';
import { RunningApp, ServedApp } from '../operations/served-app.js';
import { Deadlines } from '../operations/shutdown.js';

/** Before those of the primary, which waits for its workers. */
export const WORKER_DEADLINES: Deadlines = { closedMs: 7_000, stoppedMs: 7_000, exitMs: 7_500 };

/** The service in a worker: it stops when the primary says so, and asks the primary before it stops by itself. */
export class WorkerApp extends ServedApp {
  constructor(
    app: RunningApp,
    private readonly link: PrimaryLink,
  ) {
    super(app);
    link.onStopping(() => {
      app.lifecycle.isStopping = true;
    });
  }

  /** Readiness stays as it is: it speaks of the service, which goes on when one worker is replaced. */
  override announce(exitCode: number): Promise<void> {
    return this.link.leave(exitCode !== 0);
  }
}
