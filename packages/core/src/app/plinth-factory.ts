import { Module, OnApplicationShutdown, Type } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';

import { loadConfig } from '../config/read-config.js';
import { Schema } from '../database/migrate.js';
import { App, createApp } from './app.factory.js';
import { openEmbedded, say } from './program.js';
import { completeStart } from './service.js';

/** How `PlinthFactory.create()` makes an application. */
export interface PlinthFactoryOptions {
  /** The variables of the configuration; by default those of the process, and outside production of `.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether missing migrations run first; by default as `DATABASE_MIGRATE` says. */
  readonly migrate?: boolean;
}

export async function createApplication(
  AppModule: Type,
  { env, migrate }: PlinthFactoryOptions,
): Promise<NestFastifyApplication> {
  const config = loadConfig(env);
  const { url: configured, migrate: migratesByDefault } = config.database;
  const migrates = migrate ?? migratesByDefault;
  const embedded = configured === undefined ? await openEmbedded(config.dataDir, say) : undefined;

  @Module({})
  class EmbeddedDatabaseModule implements OnApplicationShutdown {
    /** The pools are closed by then. */
    async onApplicationShutdown(): Promise<void> {
      await embedded?.stop();
    }
  }
  let app: App | undefined;
  try {
    app = await createApp(AppModule, config, configured ?? embedded?.url ?? '', {
      modules: [EmbeddedDatabaseModule],
      beforeInit: async ({ nest }) => {
        if (migrates) await nest.get(Schema).migrate();
      },
    });
    await completeStart(app, migrates);
    return app.nest;
  } catch (error) {
    await app?.nest.close();
    await embedded?.stop();
    throw error;
  }
}
