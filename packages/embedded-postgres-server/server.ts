import { renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { EmbeddedDatabaseError } from './embedded-database.error.js';
import { freePort } from './free-port.js';
import { launch, type RunningServer, type ServerPlan } from './launch-server.js';
import { clearPostmasterLock } from './postmaster-lock.js';
import { SupervisedServer } from './supervised-server.js';

const ATTEMPTS = 20;

/**
 * Starts PostgreSQL on the cluster and waits until it takes connections. The server runs in a session of its own and
 * writes to a file: neither Ctrl-C in the terminal nor our death ends it, only `stop()` and the end of the process by
 * `process.exit` do. It is started again where it ends by itself. Whoever holds the claim of the directory may call
 * this.
 *
 * @param signal gives the start up: what has been started ends
 */
export async function startServer(plan: ServerPlan, signal?: AbortSignal): Promise<RunningServer> {
  if (statSync(plan.logFile, { throwIfNoEntry: false })) renameSync(plan.logFile, `${plan.logFile}.previous`);
  let reason = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await clearPostmasterLock(plan.cluster);
    const port = (attempt === 0 && plan.port) || (await freePort());
    const outcome = await launch(plan, port, signal);
    if (typeof outcome !== 'string') return new SupervisedServer(plan, outcome, port);
    reason = outcome;
    if (/pre-existing shared memory block/.test(reason)) await sleep(500);
    else if (!/could not create any TCP\/IP sockets/.test(reason)) break;
  }
  throw new EmbeddedDatabaseError(
    `PostgreSQL did not start on ${plan.cluster}: ${reason} (log: ${plan.logFile})`,
  );
}
