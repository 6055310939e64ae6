import { AddressInfo } from 'node:net';

import { pino } from 'pino';

import { AppModule } from '../../src/app.module.js';
import { createApp } from '../../src/core/app/app.factory.js';
import { readConfig } from '../../src/core/config/read-config.js';
import { createDatabase } from './databases.js';
import { DEFAULTS, NO_PRESSURE, SECRET, Settings } from './settings.js';

/** A service in this process for tests of what even its document is not answered in: spoken to over the socket. */
export interface BareApp {
  readonly host: string;
  readonly port: number;
  readonly log: readonly Record<string, unknown>[];
  stop(): Promise<void>;
}

/** Starts a service on the database of the setting `DATABASE_URL` or, where there is none, on one of its own. */
export async function startBare(settings: Settings): Promise<BareApp> {
  const log: Record<string, unknown>[] = [];
  const logger = pino({ base: null }, { write: (line: string) => log.push(JSON.parse(line) as never) });
  const database = settings['DATABASE_URL'] ? undefined : await createDatabase();
  const url = settings['DATABASE_URL'] ?? database?.url ?? '';
  const config = readConfig({ ...DEFAULTS, RATE_LIMIT: '0', DATABASE_URL: url, ...settings }, () => SECRET);
  const { nest } = await createApp(AppModule, config, url, { logger, pressure: NO_PRESSURE });
  await nest.listen(0, '127.0.0.1');
  const { address: host, port } = nest.getHttpServer().address() as AddressInfo;
  const stop = async (): Promise<void> => {
    await nest.close();
    await database?.drop();
  };
  return { host, port, log, stop };
}
