import { DynamicModule, Global, Module, Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Config } from '../config/config.js';
import { dataSourceOptions, replicaPool } from './data-source-options.js';
import { DatabaseHealth } from './database-health.js';
import { Database } from './database.js';
import { Notifications } from './notifications.js';
import { PooledSessions } from './pooled-sessions.js';
import { ReplicaPools } from './replicas/replicas.js';
import { Schema } from './schema.js';
import { StatementTimes } from './statement-times.js';

/** The connection to PostgreSQL, for every module. Entities come with the modules that declare them. */
@Global()
@Module({})
export class DatabaseModule {
  /** @param url of the server, the embedded one's where the configuration names none */
  static connectedTo(url: string, config: Config): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        DiscoveryModule,
        TypeOrmModule.forRoot({
          ...dataSourceOptions(url, config.database),
          autoLoadEntities: true,
          retryAttempts: 5,
          retryDelay: 1000,
        }),
      ],
      providers: [
        { provide: StatementTimes, useFactory: () => statementTimes(config) },
        ...replicaProviders(config),
        Database,
        DatabaseHealth,
        PooledSessions,
        Schema,
        { provide: Notifications, useFactory: () => notifications(url, config) },
      ],
      exports: [Database, DatabaseHealth, Schema, Notifications],
    };
  }
}

const replicaProviders = ({ database }: Config): Provider[] => {
  const { replicaUrls, replicaLagSeconds } = database;
  if (replicaUrls.length === 0) return [];
  const useFactory = (): ReplicaPools =>
    new ReplicaPools(
      replicaUrls.map((url) => replicaPool(url, database)),
      replicaLagSeconds * 1000,
    );
  return [{ provide: ReplicaPools, useFactory }];
};

/** A pooler in transaction mode passes no `LISTEN` on. */
const notifications = (url: string, { database }: Config): Notifications =>
  new Notifications(database.pooler === 'none' ? url : undefined);

/** A statement is slow from a tenth of the time that it may take. */
const statementTimes = ({ database, metricsPort }: Config): StatementTimes =>
  new StatementTimes(database.statementTimeoutMs / 10, metricsPort !== undefined);
