import cluster from 'node:cluster';

import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AggregatorRegistry } from 'prom-client';

import { LoadApplication, runProgram } from './app/program.js';
import type { PlinthFactoryOptions } from './app/service.js';
import { loadConfigWithoutKeys } from './config/read-config.js';

export type { LoadApplication } from './app/program.js';
export type { PlinthFactoryOptions } from './app/service.js';

/**
 * Runs an application: reads the configuration, starts the embedded database where none is configured, migrates the
 * schema, and serves HTTP until the process is told to stop. With `WORKERS` it is several processes.
 * @example await run(() => import('./app.module.js'));
 */
export async function run(load: LoadApplication): Promise<void> {
  await runProgram(async (program) => {
    // npm passes SIGTERM on to the shell that runs `npm start`, which ends without telling the server.
    const watch = (parent: number) => process.ppid !== parent && process.kill(process.pid, 'SIGTERM');
    if (cluster.isPrimary && process.env['npm_lifecycle_event'] === 'start')
      setInterval(watch, 500, process.ppid).unref();
    // Answers the primary, whose scrape waits for each worker, also for one that is only starting.
    if (cluster.isWorker) new AggregatorRegistry();
    // Each loads what it needs: the primary of several workers serves nothing itself.
    if (cluster.isPrimary && program.config.workers > 1) {
      const { startPrimary } = await import('./app/primary.js');
      await startPrimary(program);
    } else {
      const { startService } = await import('./app/service.js');
      await startService(program, load);
    }
  });
}

/**
 * Gives the administrator of the configuration a new password. The service may run meanwhile.
 * @example await resetAdmin(() => import('./app.module.js'));
 */
export async function resetAdmin(load: LoadApplication): Promise<void> {
  const { resetAdminAndExit } = await import('./app/service.js');
  await runProgram((program) => resetAdminAndExit(program, load), 'fatal');
}

/**
 * Runs every migration that is missing: `npm run migrate`. Needs `DATABASE_URL`, and no keys.
 * @example await runMigrations(() => import('./app.module.js'));
 */
export async function runMigrations(load: LoadApplication): Promise<void> {
  const { migrateAndExit } = await import('./app/service.js');
  await runProgram((program) => migrateAndExit(program, load), 'warn', loadConfigWithoutKeys);
}

/** Makes the application without a program around it: for scripts, tests, and processes with a start of their own. */
export const PlinthFactory = {
  /**
   * Makes an application that is initialized, to `listen()` or `inject()`, on the database of `DATABASE_URL`, or outside
   * production on the embedded one of `@plinth/dev`. Runs missing migrations and creates the first administrator. Signals,
   * workers, traces and the metrics port belong to `run()`. `close()` ends all that was opened, the embedded database too.
   * @throws ConfigError where the configuration is faulty, with a line for each variable
   * @example
   * const app = await PlinthFactory.create(AppModule, { env: { ...process.env, RATE_LIMIT: '1000' } });
   * const { statusCode } = await app.inject('/api/v1/products');
   * await app.close();
   */
  async create(AppModule: Type, options: PlinthFactoryOptions = {}): Promise<NestFastifyApplication> {
    const { createApplication } = await import('./app/service.js');
    return createApplication(AppModule, options);
  },
};
