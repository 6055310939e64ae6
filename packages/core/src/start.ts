import cluster from 'node:cluster';

import { AggregatorRegistry } from 'prom-client';

import { LoadApplication, readConfigOrExit } from './app/program.js';
import { loadConfigWithoutKeys } from './config/read-config.js';

export type { LoadApplication } from './app/program.js';

/**
 * Runs an application: reads the configuration, starts the embedded database where none is configured, migrates the
 * schema, and serves HTTP until the process is told to stop. With `WORKERS` it is several processes.
 *
 * @example await run(() => import('./app.module.js'));
 */
export async function run(load: LoadApplication): Promise<void> {
  const config = readConfigOrExit();
  // Answers the primary, whose scrape waits for each worker, also for one that is only starting.
  if (cluster.isWorker) new AggregatorRegistry();
  // Each loads what it needs: the primary of several workers serves nothing itself.
  if (cluster.isPrimary && config.workers > 1) {
    const { startPrimary } = await import('./app/primary.js');
    await startPrimary(config);
  } else {
    const { startService } = await import('./app/service.js');
    await startService(config, load);
  }
}

/** Gives the administrator of the configuration a new password. The service may run meanwhile. */
export async function resetAdmin(load: LoadApplication): Promise<void> {
  const config = readConfigOrExit();
  const { resetAdminOf } = await import('./app/service.js');
  await resetAdminOf(config, load);
}

/** Runs every migration that is missing: `npm run migrate`. Needs `DATABASE_URL`, and no keys. */
export async function runMigrations(load: LoadApplication): Promise<void> {
  const config = readConfigOrExit(loadConfigWithoutKeys);
  const { migrateSchemaOf } = await import('./app/service.js');
  await migrateSchemaOf(config, load);
}
