import cluster from 'node:cluster';

import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { LoadApplication, runProgram } from './app/program.js';
import type { PlinthFactoryOptions } from './app/service.js';
import { loadConfigWithoutKeys } from './config/read-config.js';

export type { LoadApplication } from './app/program.js';
export type { PlinthFactoryOptions } from './app/service.js';

/**
 * Runs an application: reads the configuration, starts the embedded database if none is configured, migrates the schema, and
 * serves HTTP until the process gets SIGTERM or SIGINT. With `WORKERS` it starts several processes. Exits with 1 if the start
 * fails. In a script or a test, use `PlinthFactory`.
 * @example await run(() => import('./app.module.js'));
 */
export async function run(load: LoadApplication): Promise<void> {
  await runProgram(async (program) => {
    // npm passes SIGTERM to the shell of `npm start`, which ends without passing it on. So watch the parent process.
    const watch = (parent: number) => process.ppid !== parent && process.kill(process.pid, 'SIGTERM');
    if (cluster.isPrimary && process.env['npm_lifecycle_event'] === 'start')
      setInterval(watch, 500, process.ppid).unref();
    // Imports are dynamic, because the primary of several workers needs no application.
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
 * Gives the administrator of the configuration a new password. The service may be running.
 * @example await resetAdmin(() => import('./app.module.js'));
 */
export async function resetAdmin(load: LoadApplication): Promise<void> {
  const { resetAdminAndExit } = await import('./app/service.js');
  await runProgram((program) => resetAdminAndExit(program, load), 'fatal');
}

/**
 * Runs the missing migrations, as `npm run migrate` does. It needs `DATABASE_URL`, but no keys.
 * @example await runMigrations(() => import('./app.module.js'));
 */
export async function runMigrations(load: LoadApplication): Promise<void> {
  const { migrateAndExit } = await import('./app/service.js');
  await runProgram((program) => migrateAndExit(program, load), 'warn', loadConfigWithoutKeys);
}

/** Makes an application for scripts, tests, and processes that have a start of their own. To run a service, use `run()`. */
export const PlinthFactory = {
  /**
   * Makes an initialized application, ready for `listen()` or `inject()`. It uses the database of `DATABASE_URL`, or, outside
   * production, the embedded one of `@plinth/dev`. It runs missing migrations and creates the first administrator. It handles
   * no signals, workers, traces or metrics port: `run()` does. `close()` also stops the embedded database.
   * @throws ConfigError if the configuration is faulty, with a line for each variable
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
